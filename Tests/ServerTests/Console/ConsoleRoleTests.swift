// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import ProviderAdministration
import Storage
import Support
import Testing

@testable import AdminEndpoints

/// The table of roles, cell by cell: as a table, and as pages and forms.
@Suite struct ConsoleRoleTests {
    /// Written down a second time, by role: a cell that changes has to be changed twice.
    private static let allowed: [Administrator.Role: Set<ConsoleAction>] = [
        .owner: Set(ConsoleAction.allCases),
        .projectAdministrator: Set(ConsoleAction.allCases).subtracting([
            .createProject, .removeProject, .seeAdministrators, .changeAdministrators,
        ]),
        .developer: [
            .seeProject, .seeClients, .seeIssuerKeys, .seeTestKeys, .makeTestKeys,
            .seeEntitlements, .seeSigningKeys, .seeIdentityProviders, .seeAppRegistration,
            .seeFingerprints, .changeFingerprints, .seeVersions, .seePINPolicy, .seeTokenPolicy,
            .seeWebAuthnPolicy, .seeApprovalPolicy,
        ],
        .support: [
            .seeProject, .seePeople, .changePeople, .seeGroups, .seeDevices, .endDevices,
            .seeEntitlements,
            .giveEntitlements, .seeRegistrationTokens, .seeAudit, .seeVersions, .seePINPolicy,
            .seeTokenPolicy, .seeWebAuthnPolicy, .seePlatformSSOPolicy, .seeApprovalPolicy,
            .seeApprovals, .askApprovals,
        ],
        .auditor: [
            .seeProject, .seePeople, .seeGroups, .seeDevices, .seeClients, .seeIssuerKeys,
            .seeTestKeys,
            .seeEntitlements, .seeRegistrationTokens, .seeAudit, .exportAudit, .seeSigningKeys,
            .seeAdministrators, .seeIdentityProviders, .seeAppRegistration, .seeFingerprints,
            .seeVersions, .seePINPolicy, .seeEncryptionKeys, .seeAPITokens, .exportState,
            .seeTokenPolicy, .seeWebAuthnPolicy, .seePlatformSSOPolicy, .seeApprovalPolicy,
            .seeApprovals,
        ],
    ]

    @Test("every cell of the table is what it is meant to be", arguments: ConsoleAction.allCases)
    func cells(_ action: ConsoleAction) throws {
        for role in Administrator.Role.allCases {
            let expected = try #require(Self.allowed[role]).contains(action)
            #expect(action.isAllowed(to: role) == expected, "\(role) \(action)")
        }
    }

    @Test(
        "a role sees and does in its project what the table says",
        arguments: [
            Administrator.Role.projectAdministrator, .developer, .support, .auditor,
        ])
    func inItsProject(_ role: Administrator.Role) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(role, in: house.qa)
        try await check(&browser, role)
        // What is about all projects is for those who have a role in all.
        for path in ["/console/administrators"] {
            #expect(try await browser.get(path).status == .forbidden)
        }
        for path in ["/console/create", "/console/administrators/grant"] {
            #expect(try await browser.submit(path, ["name": "new"]).status == .forbidden)
        }
        #expect(try await house.store.projects.project(named: "new") == nil)
    }

    @Test("a role in all projects counts in each", arguments: Administrator.Role.allCases)
    func everywhere(_ role: Administrator.Role) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(role)
        try await check(&browser, role)
        let allowed = try #require(Self.allowed[role])
        let seen = try await browser.get("/console/administrators")
        #expect(seen.status == (allowed.contains(.seeAdministrators) ? .ok : .forbidden))
        let created = try await browser.submit("/console/create", ["name": "new"])
        #expect((created.status == .forbidden) == !allowed.contains(.createProject))
        #expect(
            (try await house.store.projects.project(named: "new") != nil)
                == allowed.contains(.createProject))
    }

    private func check(_ browser: inout Browser, _ role: Administrator.Role) async throws {
        let allowed = try #require(Self.allowed[role])
        for (action, path) in Self.pages {
            let answer = try await browser.get("/console/projects/qa" + path)
            #expect(
                (answer.status == .forbidden) == !allowed.contains(action), "GET \(path)")
            #expect(answer.status != .serviceUnavailable, "GET \(path)")
        }
        _ = try await browser.get("/console/projects/qa")
        for (action, path) in Self.forms {
            let answer = try await browser.submit("/console/projects/qa" + path, [:])
            #expect(
                (answer.status == .forbidden) == !allowed.contains(action), "POST \(path)")
            #expect(answer.status != .serviceUnavailable, "POST \(path)")
            // Answers of one-time secrets carry a form token as well.
            _ = try await browser.get("/console/projects/qa")
        }
    }

    @Test("another project is not there at all", arguments: Administrator.Role.allCases.dropFirst())
    func otherProject(_ role: Administrator.Role) async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(role, in: house.qa)
        for (_, path) in Self.pages {
            let answer = try await browser.get("/console/projects/default" + path)
            #expect(answer.status == .notFound, "GET \(path)")
        }
        _ = try await browser.get("/console/projects/qa")
        for (_, path) in Self.forms {
            let answer = try await browser.submit("/console/projects/default" + path, [:])
            #expect(answer.status == .notFound, "POST \(path)")
        }
        #expect(try await browser.get("/console/projects/nowhere").status == .notFound)
        let overview = try await browser.get("/console").text
        #expect(overview.contains("/console/projects/qa"))
        #expect(!overview.contains("/console/projects/default"))
    }

    @Test("what belongs to another project is not found under one's own")
    func othersObjects() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        try await house.client("shop")
        var browser = try await house.administrator(.projectAdministrator, in: house.qa)
        let root = "/console/projects/qa"
        for path in [
            "/people/bea", "/people/\(bea.id)", "/people/\(bea.id)/remove", "/clients/shop",
            "/people/\(bea.id)/details",
            "/clients/shop/remove",
        ] {
            #expect(try await browser.get(root + path).status == .notFound, "\(path)")
        }
        for path in [
            "/people/\(bea.id)/details/change", "/people/\(bea.id)/approvals",
            "/people/\(bea.id)/expendable", "/people/\(bea.id)/re-registration/close",
            "/clients/shop/undo",
            "/people/\(bea.id)/disable", "/people/\(bea.id)/remove", "/people/bea/disable",
            "/people/\(bea.id)/re-registration", "/clients/shop/disable", "/clients/shop/change",
        ] {
            _ = try await browser.get(root)
            #expect(try await browser.submit(root + path, [:]).status == .notFound, "\(path)")
        }
        #expect(try await house.store.people.person(bea.id)?.disabled == false)
        #expect(try await house.store.people.person(username: "bea", in: house.qa.id) == nil)
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) == nil)
    }

    @Test("the menu leads where the table allows, and nowhere else")
    func menu() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.developer, in: house.qa)
        let page = try await browser.get("/console/projects/qa").text
        for part in [
            "clients", "test-keys", "issuer-keys", "entitlement-sets", "keys", "versions",
            "identity-providers", "app-registration", "fingerprints", "pin-policy",
        ] {
            #expect(page.contains("href=\"/console/projects/qa/\(part)\""), "\(part)")
        }
        for part in [
            "people", "devices", "audit", "registration-tokens", "encryption-keys", "api-tokens",
        ] {
            #expect(!page.contains("/console/projects/qa/\(part)\""), "\(part)")
        }
        #expect(!page.contains("data-action=\"remove\"") && !page.contains("data-action=\"theme\""))
    }
}
