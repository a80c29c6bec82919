// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// The key with which a project proves itself to other providers (`private_key_jwt`, OpenID Connect
/// Core section 9). It signs no tokens of the project, so an assertion that another provider was
/// sent is of no use in the place of a token.
///
/// It is derived from a signing key (HKDF, RFC 5869), so it needs no record of its own: it is
/// announced, rotated and retired with that key.
enum AssertionKey {
    private static let purpose = "gatehouse/client-assertion/1"

    /// - Parameter key: The private JWK of the signing key, as it is sealed.
    static func derived(from key: Secret) throws -> PrivateJWK {
        // One in 2^32 derived numbers is no scalar of the curve: then the next one counts.
        for attempt in UInt8(0)..<8 {
            let scalar = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.reveal()),
                info: Array(purpose.utf8) + [attempt], outputByteCount: 32
            ).withUnsafeBytes { Secret(Array($0)) }
            guard let pair = try? PrivateJWK(scalar: scalar, on: .p256) else { continue }
            return try pair.with(
                KeyParameters(
                    keyID: pair.publicKey.thumbprintText, use: "sig",
                    algorithm: JWSAlgorithm.es256.rawValue))
        }
        throw KeyRingError.cannotMakeKey(algorithm: JWSAlgorithm.es256.rawValue)
    }
}
