// SPDX-License-Identifier: Apache-2.0
package import CBOR
import Crypto
import CryptoExtras

/// A public key in COSE form (RFC 9052 section 7, RFC 9053 section 7, RFC 8230 section 4), checked
/// as WebAuthn section 6.5.1.1 wants it: `alg` present, and no optional parameter beside it.
///
/// A value of this type is a usable key: the point lies on the curve of its algorithm, the modulus
/// is of sane size.
package struct COSEPublicKey: Sendable {
    package let algorithm: COSEAlgorithm
    let material: KeyMaterial

    /// Reads one key, with nothing after it.
    package init(cbor bytes: ArraySlice<UInt8>) throws(COSEKeyError) {
        let value: CBORValue
        do { value = try CBORValue.decode(bytes, profile: .ctap2) } catch { throw .malformed }
        try self.init(value)
    }

    package init(_ value: CBORValue) throws(COSEKeyError) {
        guard let entries = value.entries else { throw .malformed }
        let parameters = try COSEParameters(entries)
        guard let algorithm = COSEAlgorithm(rawValue: parameters.algorithm) else {
            throw .unknownAlgorithm
        }
        self.algorithm = algorithm
        material =
            switch algorithm.family {
            case .ecdsa(let curve): try parameters.ellipticCurveKey(curve)
            case .ed25519: try parameters.ed25519Key()
            case .rsaPKCS1, .rsaPSS: try parameters.rsaKey()
            }
    }
}

/// The key itself, in the form that the cryptographic library takes.
enum KeyMaterial: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)
}
