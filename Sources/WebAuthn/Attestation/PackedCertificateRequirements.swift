// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// Section 8.2.1, "Certificate Requirements for Packed Attestation Statements".
enum PackedCertificateRequirements {
    static func check(_ certificate: Certificate) throws(StatementRefusal) {
        guard certificate.version == .v3 else { throw refusal("not of version 3") }
        try checkSubject(certificate.subject)
        let constraints: BasicConstraints?
        do { constraints = try certificate.extensions.basicConstraints } catch {
            throw refusal("basic constraints cannot be read")
        }
        guard constraints == .notCertificateAuthority else {
            throw refusal("basic constraints do not exclude a CA")
        }
    }

    private static func checkSubject(_ subject: DistinguishedName) throws(StatementRefusal) {
        typealias Name = ASN1ObjectIdentifier.RDNAttributeType
        let country = try attribute(Name.countryName, "C", of: subject)
        guard country.utf8.count == 2, country.utf8.allSatisfy(isUpperCaseLetter) else {
            throw refusal("subject C is not an ISO 3166 code")
        }
        _ = try attribute(Name.organizationName, "O", of: subject)
        _ = try attribute(Name.commonName, "CN", of: subject)
        let unit = try attribute(Name.organizationalUnitName, "OU", of: subject)
        guard unit.utf8.elementsEqual("Authenticator Attestation".utf8) else {
            throw refusal("subject OU is not \"Authenticator Attestation\"")
        }
    }

    private static func isUpperCaseLetter(_ letter: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter
    }

    /// The one value of that attribute, not empty.
    private static func attribute(
        _ type: ASN1ObjectIdentifier, _ name: String, of subject: DistinguishedName
    ) throws(StatementRefusal) -> String {
        let found = subject.flatMap { $0 }.filter { $0.type == type }
        guard found.count == 1, let text = String(found[0].value), !text.isEmpty else {
            throw refusal("subject \(name) is missing, repeated or no text")
        }
        return text
    }

    private static func refusal(_ reason: String) -> StatementRefusal {
        StatementRefusal(.attestationCertificateInvalid, reason)
    }
}
