// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import Foundation
import JOSE
import Primitives
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

/// The moment of every test that has its own certificates.
let now = Timestamp(seconds: 1_800_000_000)

/// What every test of ours binds evidence to.
let challenge = [UInt8](1...32)

extension Result where Failure == AttestationRefusal {
    /// The code of the refusal, or `nil` when there is none.
    var code: AttestationRefusal.Code? {
        if case .failure(let refusal) = self { refusal.code } else { nil }
    }
}

extension P256.Signing.PublicKey {
    var jwk: PublicJWK {
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
    var roots: RootKeys { get throws { try RootKeys(der: [try root.der]) } }

    /// A leaf for that key with those extensions, and the intermediate.
    func chain(
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
    init(_ identifier: String, _ value: [UInt8]) throws {
        self.init(
            oid: try ASN1ObjectIdentifier(dotRepresentation: identifier), critical: false,
            value: value[...])
    }
}

/// One element of DER.
func der(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return tag + [UInt8(count)] + content }
    if count < 0x100 { return tag + [0x81, UInt8(count)] + content }
    return tag + [0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
}

/// Files of ../shared/vectors. A clone that stands alone has no such folder, and then the tests
/// that need them are skipped.
enum SharedVector {
    static func text(_ name: String) -> String? {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "../shared/vectors/\(name)").standardizedFileURL
        return try? String(contentsOf: file, encoding: .utf8)
    }

    /// The certificates of a PEM file, DER.
    static func certificates(_ name: String) -> [[UInt8]] {
        guard let text = text(name) else { return [] }
        return text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap {
            guard let body = $0.components(separatedBy: "-----END").first else { return nil }
            return Base64.decode(body, skippingWhitespace: true)
        }
    }
}
