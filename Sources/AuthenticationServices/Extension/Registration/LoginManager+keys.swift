// SPDX-License-Identifier: Apache-2.0
public import Foundation
import JOSE
import SingleSignOn

extension ASAuthorizationProviderExtensionLoginManager {
    /// The key of that type; `nil` when there is none, or when it is not for this request. During a
    /// migration the keys of the person and the shared ones are there.
    public func key(for keyType: ASAuthorizationProviderExtensionKeyType) -> SecKey? {
        guard let type = keyType.type else { return nil }
        let reference = ExtensionKeyReference(type)
        guard case .key(let key?)? = try? perform(.key(reference)) else { return nil }
        return SecKey(key, reference, in: request)
    }

    /// The key of that type with its certificate; `nil` when there is none.
    public func identity(for keyType: ASAuthorizationProviderExtensionKeyType) -> SecIdentity? {
        guard let type = keyType.type,
            case .certificates(let certificates)? = try? perform(.certificates(type)),
            let leaf = certificates.first, let key = key(for: keyType)
        else { return nil }
        return SecIdentity(key, SecCertificate(leaf))
    }

    /// Keeps the certificate of a key. Requests that the key signs carry it.
    public func saveCertificate(
        _ certificate: SecCertificate, keyType: ASAuthorizationProviderExtensionKeyType
    ) {
        guard let type = keyType.type else { return }
        attempt { try perform(.saveCertificate(certificate.der, type)) }
    }

    // MARK: New keys

    /// Makes another key of that type, to be told to the provider; the one in use stays in use. `nil`
    /// when there can be none.
    public func beginKeyRotation(
        _ keyType: ASAuthorizationProviderExtensionKeyType
    ) -> SecKey? {
        guard let type = keyType.type,
            case .key(let key?)? = try? perform(.beginKeyRotation(type))
        else { return nil }
        return SecKey(key, ExtensionKeyReference(type, isPending: true), in: request)
    }

    /// Takes the key of ``beginKeyRotation(_:)`` into use.
    public func completeKeyRotation(_ keyType: ASAuthorizationProviderExtensionKeyType) {
        guard let type = keyType.type else { return }
        attempt { try perform(.completeKeyRotation(type)) }
    }

    /// Makes new keys of every type. Device and people must be registered again.
    public func resetKeys() { attempt { try perform(.resetKeys) } }

    /// Makes new keys of the device. It must be registered again.
    public func resetDeviceKeys() { attempt { try perform(.resetDeviceKeys) } }

    /// Makes a new key of the person, who must be registered again.
    public func resetUserSecureEnclaveKey() { attempt { try perform(.resetUserSecureEnclaveKey) } }

    // MARK: Attestation

    /// Certificates that say the key is in hardware, the leaf first.
    ///
    /// - Parameter clientDataHash: what they are bound to, at most 64 bytes.
    /// - Throws: ``ASAuthorizationError`` when the device cannot say so.
    public func attestKey(
        ofType keyType: ASAuthorizationProviderExtensionKeyType, clientDataHash: Data
    ) async throws -> [SecCertificate] {
        try await attest(keyType, clientDataHash, isPending: false)
    }

    /// As ``attestKey(ofType:clientDataHash:)``, of the key of ``beginKeyRotation(_:)``.
    public func attestPendingKey(
        ofType keyType: ASAuthorizationProviderExtensionKeyType, clientDataHash: Data
    ) async throws -> [SecCertificate] {
        try await attest(keyType, clientDataHash, isPending: true)
    }

    private func attest(
        _ keyType: ASAuthorizationProviderExtensionKeyType, _ hash: Data, isPending: Bool
    ) async throws(ASAuthorizationError) -> [SecCertificate] {
        guard let type = keyType.type, 1...64 ~= hash.count else {
            throw ASAuthorizationError(.failed, "A hash of 1 to 64 bytes is needed.")
        }
        let call = ExtensionCall.attest(
            ExtensionKeyReference(type, isPending: isPending), clientDataHash: Array(hash))
        guard case .certificates(let certificates) = try await performLater(call),
            !certificates.isEmpty
        else { throw ASAuthorizationError(.failed, "This device attests no keys.") }
        return certificates.map { SecCertificate($0) }
    }
}

extension ASAuthorizationProviderExtensionKeyType {
    /// The numbers are the same.
    var type: ExtensionKeyType? { ExtensionKeyType(rawValue: rawValue) }
}
