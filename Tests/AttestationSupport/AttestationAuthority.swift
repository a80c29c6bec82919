// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Foundation
package import SwiftASN1
package import X509

/// A fake manufacturer of authenticators: a root, an intermediate, and attestation certificates
/// with one error each.
package struct AttestationAuthority: Sendable {
    package struct Issued: Sendable {
        package let certificate: Certificate
        package let key: P256.Signing.PrivateKey

        package var der: [UInt8] {
            get throws { try AttestationAuthority.encoded(certificate) }
        }

        package var serialNumber: [UInt8] { Array(certificate.serialNumber.bytes) }
    }

    /// What an attestation certificate says; right unless changed.
    package struct Leaf {
        package var country: String?
        package var organization: String?
        package var unit: String?
        package var name: String?
        /// `serialNumber` (X.520), of the person and not of the certificate.
        package var number: String?
        package var constraints: BasicConstraints?
        package var version: Certificate.Version
        package var extensions: [Certificate.Extension]
        package var validity: ClosedRange<Date>

        package init(
            country: String? = "SE", organization: String? = "Maker",
            unit: String? = "Authenticator Attestation", name: String? = "Model One",
            constraints: BasicConstraints? = .notCertificateAuthority,
            version: Certificate.Version = .v3, extensions: [Certificate.Extension] = [],
            validity: ClosedRange<Date> = AttestationAuthority.validity
        ) {
            self.country = country
            self.organization = organization
            self.unit = unit
            self.name = name
            self.constraints = constraints
            self.version = version
            self.extensions = extensions
            self.validity = validity
        }
    }

    /// What an issuing certificate says; right unless changed.
    package struct Issuer {
        package var constraints: BasicConstraints?
        package var version: Certificate.Version
        package var extensions: [Certificate.Extension]
        package var validity: ClosedRange<Date>

        package init(
            constraints: BasicConstraints? = .isCertificateAuthority(maxPathLength: nil),
            version: Certificate.Version = .v3, extensions: [Certificate.Extension] = [],
            validity: ClosedRange<Date> = AttestationAuthority.validity
        ) {
            self.constraints = constraints
            self.version = version
            self.extensions = extensions
            self.validity = validity
        }
    }

    package static let validity =
        Date(timeIntervalSince1970: 1_700_000_000)...Date(timeIntervalSince1970: 1_900_000_000)
    package static let aaguidExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    package let root: Issued
    package let intermediate: Issued

    package init(intermediateValidity: ClosedRange<Date> = validity) throws {
        try self.init(intermediate: Issuer(validity: intermediateValidity))
    }

    package init(root: Issuer = Issuer(), intermediate: Issuer) throws {
        self.root = try Self.issuer("Root", root, by: nil)
        self.intermediate = try Self.issuer("Intermediate", intermediate, by: self.root)
    }

    /// A certificate that issues others; from itself when there is no issuer.
    package static func issuer(_ name: String, _ what: Issuer, by issuer: Issued?) throws -> Issued
    {
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
    package func issue(
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
        let attributes: [(ASN1ObjectIdentifier, String?)] = [
            (Name.countryName, leaf.country), (Name.organizationName, leaf.organization),
            (Name.organizationalUnitName, leaf.unit), (Name.commonName, leaf.name),
            ([2, 5, 4, 5], leaf.number),
        ]
        return DistinguishedName(
            attributes.compactMap { type, value in
                value.map {
                    RelativeDistinguishedName(
                        RelativeDistinguishedName.Attribute(type: type, utf8String: $0))
                }
            })
    }

    package static func encoded(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }

    /// The extension that names a model.
    package static func aaguid(
        _ bytes: [UInt8], critical: Bool = false
    ) throws -> Certificate.Extension {
        let value = try encoded(ASN1OctetString(contentBytes: bytes[...]))
        return Certificate.Extension(
            oid: aaguidExtension, critical: critical, value: value[...])
    }
}
