// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
import WebAuthn
import X509

/// A chain on Apple's curves: root and intermediate on P-384, as Apple's App Attest authorities
/// are, above a leaf on P-256.
struct AppleChain {
    /// DER of the leaf and of the intermediate.
    let path: [[UInt8]]
    let roots: RootKeys

    /// - Parameter path: A chain whose leaf says all that it must; only its issuers become others.
    init(reissuing path: [[UInt8]]) throws {
        let leaf = try Certificate(derEncoded: path[0])
        let root = try Issuer(name: "Root", by: nil)
        let intermediate = try Issuer(name: "Intermediate", by: root)
        let issued = try Certificate(
            version: .v3, serialNumber: leaf.serialNumber, publicKey: leaf.publicKey,
            notValidBefore: leaf.notValidBefore, notValidAfter: leaf.notValidAfter,
            issuer: intermediate.certificate.subject, subject: leaf.subject,
            extensions: leaf.extensions, issuerPrivateKey: .init(intermediate.key))
        self.path = [try Self.encoded(issued), try Self.encoded(intermediate.certificate)]
        roots = try RootKeys(der: [try Self.encoded(root.certificate)])
    }

    private struct Issuer {
        let certificate: Certificate
        let key = P384.Signing.PrivateKey()

        init(name: String, by issuer: Issuer?) throws {
            let subject = try DistinguishedName { CommonName(name) }
            certificate = try Certificate(
                version: .v3, serialNumber: .init(bytes: [1] as [UInt8]),
                publicKey: .init(key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: 1_700_000_000),
                notValidAfter: Date(timeIntervalSince1970: 1_900_000_000),
                issuer: issuer?.certificate.subject ?? subject, subject: subject,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                },
                issuerPrivateKey: .init(issuer?.key ?? key))
        }
    }

    private static func encoded(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
