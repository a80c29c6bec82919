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
            get throws {
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return serializer.serializedBytes
            }
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

    static let validity =
        Date(timeIntervalSince1970: 1_700_000_000)...Date(timeIntervalSince1970: 1_900_000_000)
    static let aaguidExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    let root: Issued
    let intermediate: Issued

    init(intermediateValidity: ClosedRange<Date> = validity) throws {
        root = try Self.authority("Root", issuer: nil)
        intermediate = try Self.authority("Intermediate", issuer: root, intermediateValidity)
    }

    private static func authority(
        _ name: String, issuer: Issued?, _ validity: ClosedRange<Date> = validity
    ) throws -> Issued {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        }
        return Issued(
            certificate: try Certificate(
                version: .v3, serialNumber: .init(bytes: [1, 2, 3] as [UInt8]),
                publicKey: .init(key.publicKey), notValidBefore: validity.lowerBound,
                notValidAfter: validity.upperBound,
                issuer: issuer?.certificate.subject ?? subject, subject: subject,
                extensions: extensions,
                issuerPrivateKey: .init(issuer?.key ?? key)),
            key: key)
    }

    /// An attestation certificate from the intermediate.
    func issue(_ leaf: Leaf = Leaf()) throws -> Issued {
        let key = P256.Signing.PrivateKey()
        var extensions = Certificate.Extensions()
        if let constraints = leaf.constraints {
            try extensions.append(Certificate.Extension(constraints, critical: true))
        }
        for item in leaf.extensions { try extensions.append(item) }
        return Issued(
            certificate: try Certificate(
                version: leaf.version, serialNumber: .init(bytes: [9, 9] as [UInt8]),
                publicKey: .init(key.publicKey), notValidBefore: leaf.validity.lowerBound,
                notValidAfter: leaf.validity.upperBound,
                issuer: intermediate.certificate.subject, subject: try Self.subject(leaf),
                extensions: extensions, issuerPrivateKey: .init(intermediate.key)),
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

    /// The extension that names a model.
    static func aaguid(
        _ bytes: [UInt8], critical: Bool = false
    ) throws -> Certificate.Extension {
        var serializer = DER.Serializer()
        try serializer.serialize(ASN1OctetString(contentBytes: bytes[...]))
        return Certificate.Extension(
            oid: aaguidExtension, critical: critical, value: serializer.serializedBytes[...])
    }
}
