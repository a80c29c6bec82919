// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import Primitives

/// The keys that open PIN proofs (docs/protocols/pin.md, "Parties and keys").
///
/// Each is derived from an encryption key (HKDF, RFC 5869) and has no record. It is rotated and
/// retired together with that key, and is published with a separate `alg`.
extension PINProofKey {
    private static let purpose = "gatehouse/pin-proof/2"

    /// - Parameter key: The unsealed private JWK of the encryption key.
    static func derived(from key: Secret) throws -> PINProofKey {
        // One in 2^32 derived numbers is not a scalar of the curve. Then the next attempt is used.
        for attempt in UInt8(0)..<8 {
            let scalar = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.reveal()),
                info: Array(purpose.utf8) + [attempt], outputByteCount: 32
            ).withUnsafeBytes { Secret(Array($0)) }
            if let key = PINProofKey(scalar: scalar) { return key }
        }
        throw KeyRingError.cannotMakeKey(algorithm: PINProofPublicKey.algorithm)
    }
}
