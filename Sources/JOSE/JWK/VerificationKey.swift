// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras

/// The loaded form of a key that verifies signatures; loading proves that it is a valid key.
enum VerificationKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    /// `nil` for a key that can only agree on keys (X25519).
    init?(_ material: PublicJWK.Material) throws(JOSEError) {
        do {
            switch material {
            case .ellipticCurve(.p256, let x, let y):
                self = .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
            case .ellipticCurve(.p384, let x, let y):
                self = .p384(try P384.Signing.PublicKey(rawRepresentation: x + y))
            case .ellipticCurve(.p521, let x, let y):
                self = .p521(try P521.Signing.PublicKey(rawRepresentation: x + y))
            case .rsa(let n, let e): self = .rsa(try _RSA.Signing.PublicKey(n: n, e: e))
            case .octetKeyPair(.ed25519, let x):
                self = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x))
            case .octetKeyPair(.x25519, _): return nil
            }
        } catch {
            throw JOSEError(.keyMalformed, "not a valid public key")
        }
    }
}
