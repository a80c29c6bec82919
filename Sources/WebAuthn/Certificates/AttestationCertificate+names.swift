// SPDX-License-Identifier: Apache-2.0
import Crypto
import SwiftASN1
import X509

/// The names of a certificate's subject by which people are found.
extension AttestationCertificate {
    /// The whole name, as RFC 4514 writes it: the most particular part first. Empty for none.
    package var subjectText: String { certificate.subject.description }

    /// The issuer's, likewise.
    package var issuerText: String { certificate.issuer.description }

    /// The values of an attribute of the subject, in dots: `2.5.4.5`.
    package func subjectValues(_ identifier: String) -> [String] {
        guard let type = try? ASN1ObjectIdentifier(dotRepresentation: identifier) else { return [] }
        return certificate.subject.flatMap { $0 }.filter { $0.type == type }
            .compactMap { String($0.value) }
    }

    /// The values of all attributes of the subject that are text.
    package var subjectValues: [String] {
        certificate.subject.flatMap { $0 }.compactMap { String($0.value) }
    }

    /// Both names as directories write them: the most general part first.
    package var directoryNames: (subject: String, issuer: String) {
        func text(_ name: DistinguishedName) -> String {
            name.map { String(describing: $0) }.joined(separator: ",")
        }
        return (text(certificate.subject), text(certificate.issuer))
    }

    /// RFC 822 names among the alternatives (RFC 5280 section 4.2.1.6), as written.
    package var emailAddresses: [String] {
        alternatives.compactMap { if case .rfc822Name(let text) = $0 { text } else { nil } }
    }

    /// User principal names: Microsoft's `szOID_NT_PRINCIPAL_NAME`, UTF-8.
    package var principalNames: [String] {
        alternatives.compactMap { name in
            guard case .otherName(let other) = name, other.typeID == Self.principalName,
                let value = other.value, let text = try? ASN1UTF8String(asn1Any: value)
            else { return nil }
            return String(text)
        }
    }

    /// The short name of the subject: its `UID` (RFC 4519 section 2.39) if it has one, otherwise
    /// its common name. `nil` if there is more than one.
    package var shortName: String? {
        let attributes = certificate.subject.flatMap { $0 }
        for type in [Self.userID, ASN1ObjectIdentifier.RDNAttributeType.commonName] {
            let found = attributes.filter { $0.type == type }
            if !found.isEmpty { return found.count == 1 ? String(found[0].value) : nil }
        }
        return nil
    }

    /// The value of its subject key identifier; `nil` when it has none that can be read.
    package var subjectKeyIdentifier: [UInt8]? {
        (try? certificate.extensions.subjectKeyIdentifier).map { Array($0.keyIdentifier) }
    }

    /// SHA-256 of its DER: its name in logs.
    package var fingerprint: [UInt8] { Array(SHA256.hash(data: der)) }

    /// SHA-1 of the bits of its key, as directories write it (`X509:<SHA1-PUKEY>`); a name, not a
    /// protection.
    package var publicKeySHA1: [UInt8] { keyIdentifier }

    private var alternatives: [GeneralName] {
        (try? certificate.extensions.subjectAlternativeNames).map { Array($0) } ?? []
    }

    private static let principalName: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 311, 20, 2, 3]
    private static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
}

/// The URLs of revocation services in a certificate.
extension AttestationCertificate {
    /// The URLs of revocation lists: `CRLDistributionPoints` (RFC 5280 section 4.2.1.13). Only
    /// complete lists of the certificate's issuer are included.
    package var revocationListAddresses: [String] {
        guard let value = extensionValue("2.5.29.31"), let points = try? DER.parse(value),
            case .constructed(let nodes) = points.content, points.identifier == .sequence
        else { return [] }
        return nodes.prefix(8).flatMap(Self.addresses)
    }

    /// The URLs of OCSP responders: `AuthorityInfoAccess` (section 4.2.2.1).
    package var responderAddresses: [String] {
        guard let access = try? certificate.extensions.authorityInformationAccess else { return [] }
        return access.prefix(8).compactMap { description in
            guard description.method == .ocspServer,
                case .uniformResourceIdentifier(let text) = description.location
            else { return nil }
            return text
        }
    }

    private static func addresses(_ point: ASN1Node) -> [String] {
        guard case .constructed(let fields) = point.content else { return [] }
        let parts = Array(fields)
        // `reasons` and `cRLIssuer` identify unsupported lists.
        guard parts.count == 1, parts[0].identifier == tag(0),
            case .constructed(let names) = parts[0].content
        else { return [] }
        return names.flatMap { name -> [String] in
            guard name.identifier == tag(0), case .constructed(let all) = name.content else {
                return []
            }
            return all.compactMap { node in
                let text = try? ASN1IA5String(derEncoded: node, withIdentifier: tag(6))
                return text.map { String($0) }
            }
        }
    }

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
