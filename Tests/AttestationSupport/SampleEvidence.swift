// SPDX-License-Identifier: Apache-2.0
package import Attestation
package import Crypto
package import Foundation
package import JOSE
package import Primitives
import SwiftASN1
package import WebAuthn
package import X509

/// What evidence is made for, unless a test says otherwise.
package enum SampleEvidence {
    /// The moment of every test that has its own certificates.
    package static let now = Timestamp(seconds: 1_800_000_000)
    package static let challenge = [UInt8](1...32)
}

extension Result where Failure == AttestationRefusal {
    /// The code of the refusal, or `nil` when there is none.
    package var code: AttestationRefusal.Code? {
        if case .failure(let refusal) = self { refusal.code } else { nil }
    }
}

extension P256.Signing.PublicKey {
    package var jwk: PublicJWK {
        get throws {
            let point = Array(rawRepresentation)
            return try PublicJWK(
                .ellipticCurve(.p256, x: Array(point.prefix(32)), y: Array(point.suffix(32))),
                parameters: KeyParameters())
        }
    }
}

extension AttestationAuthority {
    /// Its root, by the key.
    package var roots: RootKeys { get throws { try RootKeys(der: [try root.der]) } }

    /// A leaf for that key with those extensions, and the intermediate.
    package func chain(
        for key: P256.Signing.PublicKey, _ extensions: [Certificate.Extension],
        constraints: BasicConstraints? = .notCertificateAuthority,
        validity: ClosedRange<Date> = validity
    ) throws -> [[UInt8]] {
        var leaf = Leaf()
        leaf.extensions = extensions
        leaf.constraints = constraints
        leaf.validity = validity
        return [try issue(leaf, of: .init(key)).der, try intermediate.der]
    }
}

extension Certificate.Extension {
    package init(_ identifier: String, _ value: [UInt8]) throws {
        self.init(
            oid: try ASN1ObjectIdentifier(dotRepresentation: identifier), critical: false,
            value: value[...])
    }
}

/// One element of DER.
package func der(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return tag + [UInt8(count)] + content }
    if count < 0x100 { return tag + [0x81, UInt8(count)] + content }
    return tag + [0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
}
