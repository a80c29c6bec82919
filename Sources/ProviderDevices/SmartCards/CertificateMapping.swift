// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderSettings
import Storage
import WebAuthn

/// The project's rules that map a certificate to a person. The caller has verified a path to a root
/// of the project: the certificate's statements about its holder are those of that authority.
///
/// The username of the request identifies the person; a rule only verifies that the certificate is
/// theirs.
package struct CertificateMapping {
    enum Rule: String, Sendable, CaseIterable {
        /// The subject's `UID`, or else its common name, equals the username.
        case subject
        /// An email address of the certificate equals the person's verified address.
        case email
        /// A user principal name of the certificate equals the username, alone or before a domain
        /// of the project.
        case principalName = "upn"
        /// An administrator assigned the certificate to the person by one of its names.
        case identity = "alt_security_identities"
    }

    let rules: [Rule]
    /// The domains of principal names whose part before the `@` is the username.
    let domains: [String]

    init(_ policy: SmartCardPolicy) {
        rules = policy.mapping.compactMap(Rule.init)
        domains = policy.principalDomains
    }

    /// Returns the first rule that maps the certificate to the person, or `nil`.
    func rule(giving certificate: AttestationCertificate, to person: Person) -> Rule? {
        rules.first { rule in
            switch rule {
            case .subject:
                certificate.shortName.map { person.hasPrincipalName($0) } ?? false
            case .email: hasAddress(of: person, certificate)
            case .principalName:
                certificate.principalNames.contains {
                    person.hasPrincipalName($0, domains: domains)
                }
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
}

// MARK: altSecurityIdentities

extension CertificateMapping {
    /// The names of a certificate by which an administrator can assign it to a person: the names of
    /// Active Directory for it or its key, and the one that macOS writes for people of Platform SSO
    /// (`PlatformSSO:` and the principal name).
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

    /// The issue of a name in a state document, or `nil`. A subject alone (`X509:<S>`) is not
    /// accepted, because it is not unique.
    package static let complaint: TextRule = { name in
        let isKnown =
            ["X509:<SHA1-PUKEY>", "X509:<SKI>", "X509:<RFC822>", "PlatformSSO:"].contains {
                name.hasPrefix($0) && name.utf8.count > $0.utf8.count
            }
            || name.hasPrefix("X509:<I>") && (name.contains("<S>") || name.contains("<SR>"))
        return isKnown ? nil : ValidationIssue(.notCertificateName)
    }
}
