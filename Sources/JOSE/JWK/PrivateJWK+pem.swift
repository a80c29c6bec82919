// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import Primitives

/// Key pairs as other tools write them. P-256 and RSA.
extension PrivateJWK {
    /// A key pair in PEM, RFC 7468: `RSA PRIVATE KEY` (PKCS #1), `PRIVATE KEY` (PKCS #8) or
    /// `EC PRIVATE KEY` (SEC 1), with any line ends. Encrypted keys are not read.
    ///
    /// - Throws: `keyMalformed`, `keyUnsupported`, `keyTooWeak`, `tooLarge`.
    package init(pem text: Secret) throws(JOSEError) {
        let block = try PEMBlock(text.revealText())
        switch block.label {
        case "RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY": break
        default: throw JOSEError(.keyUnsupported, "a PEM block that is not a plain private key")
        }
        if let key = try? P256.Signing.PrivateKey(derRepresentation: block.der) {
            try self.init(scalar: Secret(key.rawRepresentation), on: .p256)
            return
        }
        guard let key = try? _RSA.Signing.PrivateKey(derRepresentation: block.der) else {
            throw JOSEError(.keyMalformed, "not a P-256 or RSA private key")
        }
        self = try RSAPrivateKeyDER.read(Array(key.derRepresentation))
    }

    /// Returns the key pair in PEM: PKCS #1 for RSA, which the oldest readers support, PKCS #8 for
    /// P-256.
    ///
    /// - Throws: `keyUnsupported` for other kinds of key.
    package func pem() throws(JOSEError) -> Secret {
        do {
            switch (publicKey.material, material) {
            case (.rsa(let n, let e), .rsa(let d, let p, let q)):
                let key = try _RSA.Signing.PrivateKey(
                    n: n, e: e, d: d.reveal(), p: p.reveal(), q: q.reveal())
                return Secret(
                    PEMBlock.text(label: "RSA PRIVATE KEY", der: Array(key.derRepresentation)))
            case (.ellipticCurve(.p256, _, _), .scalar(let d)):
                let key = try P256.Signing.PrivateKey(rawRepresentation: d.reveal())
                return Secret(
                    PEMBlock.text(label: "PRIVATE KEY", der: Array(key.derRepresentation)))
            default: break
            }
        } catch {
            throw JOSEError(.failure, "the key cannot be written: \(error)")
        }
        throw JOSEError(.keyUnsupported, "only P-256 and RSA keys are written as PEM")
    }
}
