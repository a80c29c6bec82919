// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// A public key in COSE form (RFC 9052 section 7, RFC 9053 section 7, RFC 8230 section 4), checked
/// as WebAuthn section 6.5.1.1 requires: `alg` is present, and there are no optional parameters.
///
/// A value of this type is a usable key: the point lies on the curve of its algorithm, and the
/// modulus has an accepted size. Only Ed25519 keys are checked for their curve later, by
/// ``hasPointOnCurve``.
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
            case .ed448: try parameters.ed448Key()
            case .rsaPKCS1, .rsaPSS: try parameters.rsaKey()
            case .mlDSA(let set): try parameters.mlDSAKey(set)
            }
    }

    /// Whether an Ed25519 key is a point of its curve; `true` for every other key, which has been
    /// checked before.
    ///
    /// It is checked once, at registration. A signature by such a key never verifies, and the check
    /// costs a tenth of a verification.
    package var hasPointOnCurve: Bool {
        guard case .ed25519(let key) = material else { return true }
        return EdwardsCurve.ed25519.contains(encoded: key.encoded)
    }
}
