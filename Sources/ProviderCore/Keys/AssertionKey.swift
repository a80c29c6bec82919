// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// The key that signs client assertions of a project for other providers (`private_key_jwt`, OpenID
/// Connect Core section 9). It does not sign tokens of the project, so another provider cannot use
/// an assertion as a token.
///
/// It is derived from a signing key (HKDF, RFC 5869) and has no record. It is published, rotated
/// and retired together with that key.
enum AssertionKey {
    private static let purpose = "gatehouse/client-assertion/1"

    /// - Parameter key: The unsealed private JWK of the signing key.
    static func derived(from key: Secret) throws -> PrivateJWK {
        // One in 2^32 derived numbers is not a scalar of the curve. Then the next attempt is used.
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
