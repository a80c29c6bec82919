// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
import Primitives

/// Encryption of ID tokens and user info for a client (OpenID Connect Dynamic Client Registration
/// 1.0 section 2, Core sections 5.3.2 and 10.2).
package struct ClientEncryption: Sendable {
    private let encrypter: JWEEncrypter

    /// An error in the encryption metadata of a client.
    package enum EncryptionRefusal: String, Error, Sendable {
        case unknownAlgorithm, unknownEncryption
        /// An `enc` without an `alg`.
        case encryptionAlone
        /// The client has no suitable key with `use` `enc`.
        case noKey
    }

    /// The default for `enc` (Registration section 2).
    private static let usual = JWEEncryption.a128CBCHS256

    /// - Parameters:
    ///   - algorithm, encryption: the values of the client metadata.
    ///   - keys: the keys of the client.
    /// - Returns: `nil` if nothing is encrypted.
    package static func wished(
        _ algorithm: String?, _ encryption: String?, keys: JWKSet?
    ) -> Result<ClientEncryption?, EncryptionRefusal> {
        guard let algorithm else {
            return encryption == nil ? .success(nil) : .failure(.encryptionAlone)
        }
        guard let algorithm = JWEAlgorithm(exactly: algorithm),
            ProviderMetadata.responseEncryptionAlgorithms.contains(algorithm)
        else { return .failure(.unknownAlgorithm) }
        let named: JWEEncryption? =
            if let encryption { JWEEncryption(exactly: encryption) } else { usual }
        guard let named, ProviderMetadata.responseEncryptions.contains(named) else {
            return .failure(.unknownEncryption)
        }
        // The key must have `use` `enc`, so that a signing key is not used for encryption.
        for key in keys?.keys ?? [] where key.parameters.use == "enc" {
            if let encrypter = try? JWEEncrypter(
                key: key, algorithm: algorithm, encryption: named)
            {
                return .success(ClientEncryption(encrypter: encrypter))
            }
        }
        return .failure(.noKey)
    }

    /// - Parameter contentType: `cty`, `JWT` if the plaintext is a signed token.
    func encrypt(
        _ plaintext: [UInt8], contentType: String? = nil, random: any RandomSource
    ) throws -> [UInt8] {
        try encrypter.encrypt(
            plaintext, options: JWEEncrypter.Options(contentType: contentType), random: random)
    }
}
