// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// Public keys as other tools write them. P-256, RSA and Ed25519.
extension PublicJWK {
    /// A key in PEM, RFC 7468: `PUBLIC KEY` or `RSA PUBLIC KEY`, with any line ends.
    ///
    /// - Throws: `keyMalformed`, `keyUnsupported`, `keyTooWeak`, `tooLarge`.
    package init(pem text: String) throws(JOSEError) {
        let block = try PEMBlock(text)
        switch block.label {
        case "PUBLIC KEY", "RSA PUBLIC KEY": try self.init(der: block.der)
        default: throw JOSEError(.keyUnsupported, "a PEM block that is not a public key")
        }
    }

    /// A key as base64 of its DER, with padding and without line ends.
    package init(base64DER text: String) throws(JOSEError) {
        guard text.utf8.count <= PEMBlock.maximumBytes, let der = Base64.decode(text) else {
            throw JOSEError(.keyMalformed, "not base64")
        }
        try self.init(der: der)
    }

    /// A key in DER: SubjectPublicKeyInfo (RFC 5280 section 4.1), or RSAPublicKey of PKCS #1
    /// (RFC 8017 appendix A.1.1). Its one canonical spelling, and nothing after it.
    package init(der: [UInt8]) throws(JOSEError) {
        guard let material = Self.material(der) else {
            throw JOSEError(.keyMalformed, "not a P-256, RSA or Ed25519 public key")
        }
        try self.init(material, parameters: KeyParameters())
    }

    private static func material(_ der: [UInt8]) -> Material? {
        if let key = try? P256.Signing.PublicKey(derRepresentation: der),
            Array(key.derRepresentation) == der
        {
            let point = Array(key.rawRepresentation)
            return .ellipticCurve(.p256, x: Array(point.prefix(32)), y: Array(point.suffix(32)))
        }
        if der.count == ed25519Prefix.count + 32, der.starts(with: ed25519Prefix) {
            return .octetKeyPair(.ed25519, x: Array(der.suffix(32)))
        }
        guard let key = try? _RSA.Signing.PublicKey(derRepresentation: der),
            Array(key.derRepresentation) == der || Array(key.pkcs1DERRepresentation) == der,
            let numbers = try? key.getKeyPrimitives()
        else { return nil }
        return .rsa(n: Array(numbers.modulus), e: Array(numbers.publicExponent))
    }

    /// RFC 8410 section 4: everything of the SubjectPublicKeyInfo but the 32 bytes of the key.
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
