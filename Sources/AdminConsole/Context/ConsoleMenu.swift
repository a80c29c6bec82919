// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration

/// What an administrator can go to from here: the parts that the table lets them see.
struct ConsoleMenu {
    private let console: ConsoleContext

    init(_ console: ConsoleContext) { self.console = console }

    /// Of a project's pages the last segment of the address, and whose they are.
    typealias Part = (part: String, action: ConsoleAction)

    /// The entries of the menu by subject, the most used first. The overview precedes them.
    static let groups: [(name: String, parts: [Part])] = [
        (
            "people",
            [
                ("people", .seePeople), ("groups", .seeGroups),
                ("entitlement-sets", .seeEntitlements),
                ("devices", .seeDevices), ("registration-tokens", .seeRegistrationTokens),
            ]
        ),
        (
            "apps",
            [
                ("clients", .seeClients), ("app-registration", .seeAppRegistration),
                ("fingerprints", .seeFingerprints), ("versions", .seeVersions),
                ("issuer-keys", .seeIssuerKeys), ("test-keys", .seeTestKeys),
            ]
        ),
        (
            "signIn",
            [
                ("registration", .seeTokenPolicy),
                ("identity-providers", .seeIdentityProviders), ("webauthn", .seeWebAuthnPolicy),
                ("pin-policy", .seePINPolicy), ("approvals", .seeApprovalPolicy),
                ("platform-sso", .seePlatformSSOPolicy), ("token-policy", .seeTokenPolicy),
            ]
        ),
        (
            "project",
            [
                ("settings", .seeProject), ("keys", .seeSigningKeys),
                ("encryption-keys", .seeEncryptionKeys), ("api-tokens", .seeAPITokens),
                ("state", .exportState), ("audit", .seeAudit),
            ]
        ),
    ]

    static let parts = groups.flatMap(\.parts)

    /// - Parameter current: the part that the page belongs to.
    func values(current: String) -> [[String: Any]] {
        groups.map { group in
            [
                "name": group.name.isEmpty
                    ? false as Any : console.text("consoleGroup.\(group.name)"),
                "entries": group.entries.map { entry in
                    [
                        "href": entry.href, "words": console.text("consolePart.\(entry.part)"),
                        "isCurrent": entry.part == current,
                    ]
                },
            ]
        }
    }

    private typealias Entry = (part: String, href: String)

    private var groups: [(name: String, entries: [Entry])] {
        guard console.tenant != nil else {
            let all: Entry = ("projects", console.root)
            let who: Entry = ("administrators", console.path("administrators"))
            return [("", console.may(.seeAdministrators) ? [all, who] : [all])]
        }
        let seen = Self.groups.map { group in
            (
                name: group.name,
                entries: group.parts.filter { console.may($0.action) }
                    .map { Entry($0.part, console.path($0.part)) }
            )
        }
        return [("", [("project", console.root)])] + seen.filter { !$0.entries.isEmpty }
    }
}
