// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

#if canImport(Security)
    import Security
#endif
#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// A private key of the system, which never leaves it.
struct DeviceKey {
    struct Failure: Error {}

    private let key: SecKey

    init(_ key: SecKey) { self.key = key }

    /// The public half, as an ANSI X9.63 point.
    func point() throws -> Data {
        guard let publicKey = SecKeyCopyPublicKey(key),
            let point = SecKeyCopyExternalRepresentation(publicKey, nil) as Data?
        else { throw Failure() }
        return point
    }

    /// By which Platform SSO knows a key: SHA-256 of its point.
    func digest() throws -> Data { Data(SHA256.hash(data: try point())) }

    /// ECDSA with SHA-256, in DER.
    func signature(over message: Data) throws -> Data {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
        guard let signature = signature as Data? else { throw Self.failure(error) }
        return signature
    }

    /// The same as JWS has it: two numbers of 32 bytes (RFC 7518 section 3.4).
    func rawSignature(over message: Data) throws -> Data {
        try P256.Signing.ECDSASignature(derRepresentation: signature(over: message))
            .rawRepresentation
    }

    /// The X coordinate that this key and another's public point agree on.
    func agreement(with point: Data) throws -> Data {
        var error: Unmanaged<CFError>?
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        guard
            let other = SecKeyCreateWithData(
                point as CFData, attributes as CFDictionary, &error),
            let secret = SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, &error) as Data?
        else { throw Self.failure(error) }
        return secret
    }

    private static func failure(_ error: Unmanaged<CFError>?) -> any Error {
        error.map { $0.takeRetainedValue() as any Error } ?? Failure()
    }
}
