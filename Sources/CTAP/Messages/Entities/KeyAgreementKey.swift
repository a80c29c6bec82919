// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// A COSE key of ECDH-ES+HKDF-256 on P-256 (CTAP 2.2 section 6.5.6): how the two sides of a
/// PIN/UV auth protocol send their public keys. Only the form is checked here; whether the point
/// lies on the curve is found when it is used.
package struct KeyAgreementKey: Sendable, Equatable {
    /// 32 bytes each.
    package let x: [UInt8]
    package let y: [UInt8]

    package init?(x: some Collection<UInt8>, y: some Collection<UInt8>) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.x = Array(x)
        self.y = Array(y)
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        guard value.entries != nil else { throw .unexpectedType("keyAgreement") }
        guard let kty = value[1], let alg = value[3], let crv = value[-1], let x = value[-2],
            let y = value[-3]
        else { throw .missing("keyAgreement") }
        // Nothing else may be in it (CTAP 2.2 section 6.5.6).
        guard kty.int64 == 2, alg.int64 == -25, crv.int64 == 1, value.entries?.count == 5,
            let x = x.byteString, let y = y.byteString, let key = KeyAgreementKey(x: x, y: y)
        else { throw .outOfRange("keyAgreement") }
        self = key
    }

    package var cbor: CBORValue {
        .map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-25)),
            CBOREntry(.integer(-1), .integer(1)), CBOREntry(.integer(-2), .bytes(x[...])),
            CBOREntry(.integer(-3), .bytes(y[...])),
        ])
    }
}
