// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import JOSE

/// What evidence for a key must carry: SHA-256 of the server's nonce followed by the key, so that
/// neither a bare nonce nor a bare key can be brought together with another.
///
/// The key goes in as DER of `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7), which every
/// platform hands out: `getEncoded()` on Android, `spki` of WebCrypto; a P-256 point of Apple's
/// needs 26 fixed bytes before it.
package enum RegistrationChallenge {
    /// 32 bytes.
    package static func bytes(nonce: [UInt8], key: PublicJWK) throws(AttestationRefusal) -> [UInt8]
    {
        Array(SHA256.hash(data: nonce + (try subjectPublicKeyInfo(of: key))))
    }

    /// DER of `SubjectPublicKeyInfo`.
    ///
    /// - Throws: `key_mismatch` for a kind of key that nobody registers.
    package static func subjectPublicKeyInfo(
        of key: PublicJWK
    ) throws(AttestationRefusal) -> [UInt8] {
        do {
            switch key.material {
            case .ellipticCurve(.p256, let x, let y):
                return Array(try P256.Signing.PublicKey(rawRepresentation: x + y).derRepresentation)
            case .ellipticCurve(.p384, let x, let y):
                return Array(try P384.Signing.PublicKey(rawRepresentation: x + y).derRepresentation)
            case .rsa(let n, let e):
                return Array(try _RSA.Signing.PublicKey(n: n, e: e).derRepresentation)
            case .ellipticCurve(.p521, _, _), .octetKeyPair: break
            }
        } catch {}
        throw AttestationRefusal(.keyMismatch, "no such key can be registered")
    }
}
