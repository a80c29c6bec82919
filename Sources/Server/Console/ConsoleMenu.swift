// SPDX-License-Identifier: Apache-2.0
import IdentityProvider

/// What an administrator can go to from here: the parts that the table lets them see.
struct ConsoleMenu {
    private let console: ConsoleVisit

    init(_ console: ConsoleVisit) { self.console = console }

    /// The parts of a project's pages: the last segment of the address, and whose they are.
    static let parts: [(part: String, action: ConsoleAction)] = [
        ("settings", .seeProject), ("people", .seePeople), ("devices", .seeDevices),
        ("clients", .seeClients),
        ("identity-providers", .seeIdentityProviders), ("entitlement-sets", .seeEntitlements),
        ("app-registration", .seeAppRegistration), ("fingerprints", .seeFingerprints),
        ("versions", .seeVersions), ("pin-policy", .seePINPolicy),
        ("approvals", .seeApprovalPolicy),
        ("token-policy", .seeTokenPolicy), ("webauthn", .seeWebAuthnPolicy),
        ("platform-sso", .seePlatformSSOPolicy),
        ("issuer-keys", .seeIssuerKeys), ("test-keys", .seeTestKeys),
        ("registration-tokens", .seeRegistrationTokens), ("keys", .seeSigningKeys),
        ("encryption-keys", .seeEncryptionKeys), ("api-tokens", .seeAPITokens),
        ("audit", .seeAudit),
    ]

    func values(current: String) -> [[String: Any]] {
        entries.map { entry in
            [
                "href": entry.href, "words": console.text("consolePart.\(entry.part)"),
                "isCurrent": entry.part == current,
            ]
        }
    }

    private var entries: [(part: String, href: String)] {
        guard console.tenant != nil else {
            let all = ("projects", console.root)
            return console.may(.seeAdministrators)
                ? [all, ("administrators", console.path("administrators"))] : [all]
        }
        return [("project", console.root)]
            + Self.parts.filter { console.may($0.action) }.map { ($0.part, console.path($0.part)) }
    }
}
