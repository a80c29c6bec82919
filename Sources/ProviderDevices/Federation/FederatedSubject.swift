// SPDX-License-Identifier: Apache-2.0
import ProviderSettings
import SAML
import Storage

/// The project's rule for the subject of assertions. The username of the request identifies the
/// person; the rule only verifies that the assertion is about them.
struct FederatedSubject {
    private let policy: FederationPolicy

    init(_ policy: FederationPolicy) { self.policy = policy }

    func names(_ person: Person, in assertion: VerifiedSAMLAssertion) -> Bool {
        switch policy.subject {
        case .name: person.hasPrincipalName(assertion.subject)
        case .principalName:
            principalNames(of: assertion).contains {
                person.hasPrincipalName($0, domains: policy.domains)
            }
        case .email:
            if let email = person.claims.email, person.claims.emailVerified == true {
                addresses(of: assertion).contains { EmailAddressSyntax.canonical($0) == email }
            } else {
                false
            }
        }
    }

    private static let claims = "http://schemas.xmlsoap.org/"

    private func principalNames(of assertion: VerifiedSAMLAssertion) -> [String] {
        let names = [
            Self.claims + "ws/2005/05/identity/claims/upn", Self.claims + "claims/UPN", "upn",
        ]
        return names.flatMap { assertion.attributes[$0] ?? [] }
    }

    private func addresses(of assertion: VerifiedSAMLAssertion) -> [String] {
        let names = [
            Self.claims + "ws/2005/05/identity/claims/emailaddress",
            Self.claims + "claims/EmailAddress", "urn:oid:0.9.2342.19200300.100.1.3", "email",
        ]
        return names.flatMap { assertion.attributes[$0] ?? [] }
    }
}
