// SPDX-License-Identifier: Apache-2.0
package import Crypto
import JOSE
package import Primitives
package import SwiftASN1
package import WebAuthn
package import X509

/// A fake issuer of people's certificates on smart cards, which also publishes their revocation
/// status.
package struct PersonalAuthority {
    package typealias Issued = AttestationAuthority.Issued

    package static let principalName: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 311, 20, 2, 3]
    package static let smartCardLogon: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 311, 20, 2, 2]

    package static let serverAuthentication: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 1]

    package let makers: AttestationAuthority

    package init() throws { makers = try AttestationAuthority() }

    package var anchors: TrustAnchors {
        get throws { try TrustAnchors(der: [makers.root.der]) }
    }

    /// What a certificate says of its holder; right unless changed.
    package struct Holder {
        package var name = "Anna Johnson"
        package var number: String?
        package var emails: [String] = ["anna@example.com"]
        package var principals: [String] = ["anna@corp.example.com"]
        package var usages: [ASN1ObjectIdentifier]? = [smartCardLogon]
        package var keyUsage: KeyUsage? = KeyUsage(digitalSignature: true)
        package var responder: String?
        package var list: String?
        package var constraints: BasicConstraints? = .notCertificateAuthority

        package init() {}
    }

    package func issue(
        _ holder: Holder = Holder(), key: P256.Signing.PrivateKey = .init(),
        of certified: Certificate.PublicKey? = nil, by issuer: Issued? = nil
    ) throws -> Issued {
        var leaf = AttestationAuthority.Leaf(unit: nil, name: holder.name)
        leaf.constraints = holder.constraints
        leaf.number = holder.number
        var names = holder.emails.map { GeneralName.rfc822Name($0) }
        names += try holder.principals.map {
            .otherName(
                .init(typeID: Self.principalName, value: try ASN1Any(erasing: ASN1UTF8String($0))))
        }
        if !names.isEmpty {
            leaf.extensions.append(try .init(SubjectAlternativeNames(names), critical: true))
        }
        if let usages = holder.usages {
            leaf.extensions.append(
                try .init(try ExtendedKeyUsage(usages.map { .init(oid: $0) }), critical: true))
        }
        if let usage = holder.keyUsage {
            leaf.extensions.append(try .init(usage, critical: true))
        }
        if let address = holder.responder {
            leaf.extensions.append(
                try .init(
                    AuthorityInformationAccess([
                        .init(method: .ocspServer, location: .uniformResourceIdentifier(address))
                    ]), critical: false))
        }
        if let address = holder.list { leaf.extensions.append(Self.points(address)) }
        return try makers.issue(leaf, key: key, of: certified, by: issuer)
    }

    /// `CRLDistributionPoints` with one address.
    private static func points(_ address: String) -> Certificate.Extension {
        let names = DERWriter.element(0xA0, DERWriter.element(0x86, Array(address.utf8)))
        let value = DERWriter.sequence([DERWriter.sequence([DERWriter.element(0xA0, names)])])
        return Certificate.Extension(oid: [2, 5, 29, 31], critical: false, value: value[...])
    }

    /// The holder's certificate and the one that issued it, as a card sends them.
    package func chain(_ holder: Issued) throws -> [[UInt8]] {
        [try holder.der, try makers.intermediate.der]
    }

    // MARK: Status

    /// What the responder of an issuer says; right unless changed.
    package struct Answer {
        /// 0x80 good, 0xA1 revoked, 0x82 unknown.
        package var word: UInt8 = 0x80
        package var status: UInt8 = 0
        package var thisUpdate: Timestamp
        package var nextUpdate: Timestamp?
        package var signer: Issued?
        package var certificates: [[UInt8]] = []
        package var isCritical = false
        /// `CertID`; that of the question unless changed.
        package var certificateID: [UInt8]?

        package init(at now: Timestamp) {
            thisUpdate = now - .minutes(10)
            nextUpdate = now + .hours(1)
        }
    }

    /// - Parameter question: Of the certificate that the answer is about.
    package func answer(_ question: OCSPRequest, _ answer: Answer) throws -> [UInt8] {
        let signer = answer.signer ?? makers.intermediate
        let word =
            answer.word == 0xA1
            ? DERWriter.element(0xA1, generalized(answer.thisUpdate))
            : DERWriter.element(answer.word, [])
        var single = [
            answer.certificateID ?? question.certificateID, word, generalized(answer.thisUpdate),
        ]
        if let next = answer.nextUpdate {
            single.append(DERWriter.element(0xA0, generalized(next)))
        }
        var data = [
            DERWriter.element(0xA2, DERWriter.element(0x04, [UInt8](repeating: 1, count: 20))),
            generalized(answer.thisUpdate), DERWriter.sequence([DERWriter.sequence(single)]),
        ]
        if answer.isCritical { data.append(Self.criticalExtension) }
        let signed = DERWriter.sequence(data)
        let signature = try signer.key.signature(for: signed).derRepresentation
        var basic = [
            signed,
            DERWriter.sequence([DERWriter.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])]),
            DERWriter.bitString(Array(signature)),
        ]
        if !answer.certificates.isEmpty {
            basic.append(DERWriter.element(0xA0, DERWriter.sequence(answer.certificates)))
        }
        let bytes = DERWriter.sequence([
            DERWriter.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 48, 1, 1]),
            DERWriter.element(0x04, DERWriter.sequence(basic)),
        ])
        return DERWriter.sequence([
            DERWriter.element(0x0A, [answer.status]), DERWriter.element(0xA0, bytes),
        ])
    }

    private static let criticalExtension = DERWriter.element(
        0xA1,
        DERWriter.sequence([
            DERWriter.sequence([
                DERWriter.objectIdentifier([1, 2, 3]), DERWriter.element(0x01, [0xFF]),
                DERWriter.element(0x04, []),
            ])
        ]))

    private func generalized(_ time: Timestamp) -> [UInt8] {
        let digits = time.rfc3339.utf8.prefix(19).filter { $0 >= 0x30 && $0 <= 0x39 }
        return DERWriter.element(0x18, Array(digits) + [UInt8(ascii: "Z")])
    }

    /// A responder that an issuer named.
    package func responder(
        _ usage: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 9]
    ) throws
        -> Issued
    {
        var leaf = AttestationAuthority.Leaf(name: "Responder")
        leaf.extensions = [try .init(try ExtendedKeyUsage([.init(oid: usage)]), critical: false)]
        return try makers.issue(leaf)
    }
}
