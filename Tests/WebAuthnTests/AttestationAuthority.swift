// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
import X509

/// A maker of authenticators for tests: a root, an intermediate, and attestation certificates
/// with one thing wrong each.
struct AttestationAuthority {
    struct Issued {
        let certificate: Certificate
        let key: P256.Signing.PrivateKey

        var der: [UInt8] {
            get throws { try AttestationAuthority.encoded(certificate) }
        }
    }

    /// What an attestation certificate says; right unless changed.
    struct Leaf {
        var country: String? = "SE"
        var organization: String? = "Maker"
        var unit: String? = "Authenticator Attestation"
        var name: String? = "Model One"
        var constraints: BasicConstraints? = .notCertificateAuthority
        var version: Certificate.Version = .v3
        var extensions: [Certificate.Extension] = []
        var validity = AttestationAuthority.validity
    }

    /// What an issuing certificate says; right unless changed.
    struct Issuer {
        var constraints: BasicConstraints? = .isCertificateAuthority(maxPathLength: nil)
        var version: Certificate.Version = .v3
        var extensions: [Certificate.Extension] = []
        var validity = AttestationAuthority.validity
    }

    static let validity =
        Date(timeIntervalSince1970: 1_700_000_000)...Date(timeIntervalSince1970: 1_900_000_000)
    static let aaguidExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    let root: Issued
    let intermediate: Issued

    init(intermediateValidity: ClosedRange<Date> = validity) throws {
        try self.init(intermediate: Issuer(validity: intermediateValidity))
    }

    init(root: Issuer = Issuer(), intermediate: Issuer) throws {
        self.root = try Self.issuer("Root", root, by: nil)
        self.intermediate = try Self.issuer("Intermediate", intermediate, by: self.root)
    }

    /// A certificate that issues others; from itself when there is no issuer.
    static func issuer(_ name: String, _ what: Issuer, by issuer: Issued?) throws -> Issued {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        var extensions = Certificate.Extensions()
        if let constraints = what.constraints {
            try extensions.append(Certificate.Extension(constraints, critical: true))
        }
        for item in what.extensions { try extensions.append(item) }
        return Issued(
            certificate: try Certificate(
                version: what.version, serialNumber: .init(bytes: [1, 2, 3] as [UInt8]),
                publicKey: .init(key.publicKey), notValidBefore: what.validity.lowerBound,
                notValidAfter: what.validity.upperBound,
                issuer: issuer?.certificate.subject ?? subject, subject: subject,
                extensions: extensions, issuerPrivateKey: .init(issuer?.key ?? key)),
            key: key)
    }

    /// An attestation certificate from the intermediate, or from `issuer`.
    ///
    /// - Parameter certified: In place of the public half of `key`.
    func issue(
        _ leaf: Leaf = Leaf(), key: P256.Signing.PrivateKey = .init(),
        of certified: Certificate.PublicKey? = nil, by issuer: Issued? = nil
    ) throws -> Issued {
        let issuer = issuer ?? intermediate
        var extensions = Certificate.Extensions()
        if let constraints = leaf.constraints {
            try extensions.append(Certificate.Extension(constraints, critical: true))
        }
        for item in leaf.extensions { try extensions.append(item) }
        return Issued(
            certificate: try Certificate(
                version: leaf.version, serialNumber: .init(bytes: [9, 9] as [UInt8]),
                publicKey: certified ?? .init(key.publicKey),
                notValidBefore: leaf.validity.lowerBound,
                notValidAfter: leaf.validity.upperBound,
                issuer: issuer.certificate.subject, subject: try Self.subject(leaf),
                extensions: extensions, issuerPrivateKey: .init(issuer.key)),
            key: key)
    }

    private static func subject(_ leaf: Leaf) throws -> DistinguishedName {
        typealias Name = ASN1ObjectIdentifier.RDNAttributeType
        let attributes = [
            (Name.countryName, leaf.country), (Name.organizationName, leaf.organization),
            (Name.organizationalUnitName, leaf.unit), (Name.commonName, leaf.name),
        ]
        return DistinguishedName(
            attributes.compactMap { type, value in
                value.map {
                    RelativeDistinguishedName(
                        RelativeDistinguishedName.Attribute(type: type, utf8String: $0))
                }
            })
    }

    static func encoded(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }

    /// The extension that names a model.
    static func aaguid(
        _ bytes: [UInt8], critical: Bool = false
    ) throws -> Certificate.Extension {
        let value = try encoded(ASN1OctetString(contentBytes: bytes[...]))
        return Certificate.Extension(
            oid: aaguidExtension, critical: critical, value: value[...])
    }
}
