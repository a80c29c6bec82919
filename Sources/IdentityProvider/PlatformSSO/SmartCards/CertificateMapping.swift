// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import WebAuthn

/// Whose a certificate is, by the project's rules. The caller has led it to a root of the project:
/// what it says of its holder is that authority's word.
///
/// The person is found by their user name first; a rule only says whether the certificate is theirs.
struct CertificateMapping {
    enum Rule: String, Sendable, CaseIterable {
        /// The subject's `UID`, else its common name, is the user name.
        case subject
        /// A mail address in it is the person's, who has shown that it is.
        case email
        /// A user principal name in it is the user name, whole or before a domain of the project.
        case principalName = "upn"
        /// An administrator gave the certificate to the person by one of its names.
        case identity = "alt_security_identities"
    }

    let rules: [Rule]
    /// In which the part of a principal name before the `@` is the user name.
    let domains: [String]

    init(_ policy: SmartCardPolicy) {
        rules = policy.mapping.compactMap(Rule.init)
        domains = policy.principalDomains
    }

    /// The first rule by which it is the person's; `nil` when it is not.
    func rule(giving certificate: AttestationCertificate, to person: Person) -> Rule? {
        rules.first { rule in
            switch rule {
            case .subject:
                certificate.shortName.flatMap(UserName.canonical) == person.username
            case .email: hasAddress(of: person, certificate)
            case .principalName:
                certificate.principalNames.contains { names($0, person) }
            case .identity:
                !Self.identities(of: certificate).isDisjoint(
                    with: (person.claims.altSecurityIdentities ?? [])
                        .map(CertificateNameText.canonical))
            }
        }
    }

    private func hasAddress(of person: Person, _ certificate: AttestationCertificate) -> Bool {
        guard person.claims.emailVerified == true, let own = person.claims.email else {
            return false
        }
        return certificate.emailAddresses.contains { EmailAddressSyntax.canonical($0) == own }
    }

    private func names(_ principal: String, _ person: Person) -> Bool {
        guard let name = UserName.canonical(principal) else { return false }
        if name == person.username { return true }
        guard let mark = name.lastIndex(of: "@") else { return false }
        let domain = String(name[name.index(after: mark)...])
        return domains.contains(domain) && name[..<mark] == person.username
    }
}

// MARK: altSecurityIdentities

extension CertificateMapping {
    /// Every name of a certificate by which an administrator may give it to somebody: those of
    /// Active Directory that name it or its key, and the one that Macs write for people whom
    /// Platform SSO makes (`PlatformSSO:` and the principal name).
    static func identities(of certificate: AttestationCertificate) -> Set<String> {
        let (subject, issuer) = certificate.directoryNames
        let serial = Hexadecimal.encode(certificate.serialNumber.reversed())
        var names = [
            "X509:<I>\(issuer)<S>\(subject)", "X509:<I>\(issuer)<SR>\(serial)",
            "X509:<SHA1-PUKEY>\(Hexadecimal.encode(certificate.publicKeySHA1))",
        ]
        if let key = certificate.subjectKeyIdentifier {
            names.append("X509:<SKI>\(Hexadecimal.encode(key))")
        }
        names += certificate.emailAddresses.map { "X509:<RFC822>\($0)" }
        names += certificate.principalNames.map { "PlatformSSO:\($0)" }
        return Set(names.map(CertificateNameText.canonical))
    }

    /// What is wrong with a name in a state document. A subject alone names nobody for sure, so it
    /// is none (`X509:<S>`).
    static let complaint: TextRule = { name in
        let isKnown =
            ["X509:<SHA1-PUKEY>", "X509:<SKI>", "X509:<RFC822>", "PlatformSSO:"].contains {
                name.hasPrefix($0) && name.utf8.count > $0.utf8.count
            }
            || name.hasPrefix("X509:<I>") && (name.contains("<S>") || name.contains("<SR>"))
        return isKnown ? nil : ValidationIssue(.notCertificateName)
    }
}
