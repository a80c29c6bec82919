// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
import Primitives

/// Encryption of what is said about people to one client: ID tokens and user info (OpenID Connect
/// Dynamic Client Registration 1.0 section 2, Core sections 5.3.2 and 10.2).
package struct ClientEncryption: Sendable {
    private let encrypter: JWEEncrypter

    /// Why a client's wish cannot be met.
    package enum EncryptionRefusal: String, Error, Sendable {
        case unknownAlgorithm, unknownEncryption
        /// An `enc` beside no `alg`.
        case encryptionAlone
        /// No key of the client's says `use: enc` and fits.
        case noKey
    }

    /// What is meant when a client names none (Registration section 2).
    private static let usual = JWEEncryption.a128CBCHS256

    /// - Parameters:
    ///   - algorithm, encryption: as the client's metadata have them.
    ///   - keys: the client's.
    /// - Returns: `nil` when nothing is to be encrypted.
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
        // A key that signs is not taken for one that opens: it must say what it is for.
        for key in keys?.keys ?? [] where key.parameters.use == "enc" {
            if let encrypter = try? JWEEncrypter(
                key: key, algorithm: algorithm, encryption: named)
            {
                return .success(ClientEncryption(encrypter: encrypter))
            }
        }
        return .failure(.noKey)
    }

    /// - Parameter contentType: `cty`, `JWT` for what was signed before.
    func encrypt(
        _ plaintext: [UInt8], contentType: String? = nil, random: any RandomSource
    ) throws -> [UInt8] {
        try encrypter.encrypt(
            plaintext, options: JWEEncrypter.Options(contentType: contentType), random: random)
    }
}
