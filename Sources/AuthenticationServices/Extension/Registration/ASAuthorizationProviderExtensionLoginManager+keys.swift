// SPDX-License-Identifier: Apache-2.0
import SSOExtensions
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

    /// Saves the certificate of a key. Requests with a signature of the key contain it.
    public func saveCertificate(
        _ certificate: SecCertificate, keyType: ASAuthorizationProviderExtensionKeyType
    ) {
        guard let type = keyType.type else { return }
        attempt { try perform(.saveCertificate(certificate.der, type)) }
    }

    // MARK: New keys

    /// Creates a pending key of that type, which must be registered with the provider; the active
    /// one stays active. Returns `nil` if it cannot be created.
    public func beginKeyRotation(
        _ keyType: ASAuthorizationProviderExtensionKeyType
    ) -> SecKey? {
        guard let type = keyType.type,
            case .key(let key?)? = try? perform(.beginKeyRotation(type))
        else { return nil }
        return SecKey(key, ExtensionKeyReference(type, isPending: true), in: request)
    }

    /// Activates the key of ``beginKeyRotation(_:)``.
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

    /// Returns certificates that attest that the key is in hardware, the leaf first.
    ///
    /// - Parameter clientDataHash: The data that they are bound to, at most 64 bytes.
    /// - Throws: ``ASAuthorizationProviderExtensionAttestationError`` on Linux, where keys have no
    ///   certificates; ``ASAuthorizationError`` otherwise.
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

    /// Returns a TPM's statement that it has the key, and of the device's boot state. Not part of
    /// Apple's API. It is the object `attestation` of a registration, as JSON
    /// (docs/platform-sso-provider.md). Its signature is by a key of the TPM that the provider must
    /// trust.
    ///
    /// - Parameters:
    ///   - clientDataHash: The data that it is bound to, at most 64 bytes.
    ///   - isPending: Whether to use the key of ``beginKeyRotation(_:)``.
    /// - Throws: ``ASAuthorizationProviderExtensionAttestationError/notInHardware``;
    ///   ``ASAuthorizationError`` otherwise.
    public func attestationStatement(
        ofType keyType: ASAuthorizationProviderExtensionKeyType, clientDataHash: Data,
        isPending: Bool = false
    ) async throws -> Data {
        let (key, hash) = try reference(keyType, clientDataHash, isPending)
        let answer = try await attested(.attestationStatement(key, clientDataHash: hash))
        guard case .data(let statement) = answer else { throw Self.nothingSaid }
        return Data(statement)
    }

    private func attest(
        _ keyType: ASAuthorizationProviderExtensionKeyType, _ hash: Data, isPending: Bool
    ) async throws -> [SecCertificate] {
        let (key, hash) = try reference(keyType, hash, isPending)
        let answer = try await attested(.attest(key, clientDataHash: hash))
        guard case .certificates(let certificates) = answer, !certificates.isEmpty else {
            throw Self.nothingSaid
        }
        return certificates.map { SecCertificate($0) }
    }

    private func reference(
        _ keyType: ASAuthorizationProviderExtensionKeyType, _ hash: Data, _ isPending: Bool
    ) throws(ASAuthorizationError) -> (ExtensionKeyReference, [UInt8]) {
        guard let type = keyType.type, 1...64 ~= hash.count else {
            throw ASAuthorizationError(.failed, "A hash of 1 to 64 bytes is needed.")
        }
        return (ExtensionKeyReference(type, isPending: isPending), Array(hash))
    }

    private static let nothingSaid = ASAuthorizationError(.failed, "This device attests no keys.")

    private func attested(_ call: ExtensionCall) async throws -> ExtensionCallResponse {
        do throws(ExtensionCallRefusal) { return try await request.perform(call) } catch {
            switch error.code {
            case .statementOnly:
                throw ASAuthorizationProviderExtensionAttestationError.statementOnly
            case .notInHardware:
                throw ASAuthorizationProviderExtensionAttestationError.notInHardware
            default: throw ASAuthorizationError(error)
            }
        }
    }
}

extension ASAuthorizationProviderExtensionKeyType {
    /// The numbers are the same.
    var type: ExtensionKeyType? { ExtensionKeyType(rawValue: rawValue) }
}
