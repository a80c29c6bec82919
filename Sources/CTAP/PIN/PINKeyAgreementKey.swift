// SPDX-License-Identifier: Apache-2.0
package import CBOR
package import Crypto

/// A public key for key agreement, as COSE writes it (CTAP 2.1 section 6.5.6, `getPublicKey`).
///
/// A value of this type is a point on P-256 other than infinity.
package struct PINKeyAgreementKey: Sendable {
    package let key: P256.KeyAgreement.PublicKey

    package init(_ key: P256.KeyAgreement.PublicKey) { self.key = key }

    /// Reads `{1: 2, 3: -25, -1: 1, -2: x, -3: y}` and nothing else; the point is checked.
    package init(_ value: CBORValue) throws(PINProtocolError) {
        guard value.entries?.count == 5, value[1]?.int64 == 2, value[3]?.int64 == -25,
            value[-1]?.int64 == 1, let x = value[-2]?.byteString, let y = value[-3]?.byteString,
            x.count == 32, y.count == 32
        else { throw .invalidPublicKey }
        // The library refuses points off the curve.
        do { key = try P256.KeyAgreement.PublicKey(rawRepresentation: x + y) } catch {
            throw .invalidPublicKey
        }
    }

    /// The COSE form. Its algorithm, -25, is the specification's fixed mark and means nothing.
    package var cose: CBORValue {
        let point = Array(key.rawRepresentation)
        return .map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-25)),
            CBOREntry(.integer(-1), .integer(1)), CBOREntry(.integer(-2), .bytes(point.prefix(32))),
            CBOREntry(.integer(-3), .bytes(point.suffix(32))),
        ])
    }
}
