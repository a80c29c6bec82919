// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import ProviderAdministration
import Testing

@testable import AdminConsole
@testable import HTTPServer

/// What each address below a project's needs, written down a second time; and that none is missing.
extension ConsoleRoleTests {
    typealias Cell = (action: ConsoleAction, path: String)

    static let pages = ownPages + removals + rules.flatMap(\.pages)
    static let forms = ownForms + removals + rules.flatMap(\.forms)

    // MARK: None is missing

    @Test("every page and form of a project is in the lists above, once, and nothing else is")
    func isComplete() async throws {
        let pages = try await PagesHouse()
        let routes = pages.console.routes().filter {
            $0.pattern.hasPrefix(ConsoleRouteGuard.project)
        }
        for (method, cells) in [(HTTPRequest.Method.get, Self.pages), (.post, Self.forms)] {
            let patterns = routes.filter { $0.method == method }.map { Self.segments($0.pattern) }
            #expect(!patterns.isEmpty)
            var found: [[Substring]: Int] = [:]
            for cell in cells {
                let path = cell.path.prefix { $0 != "?" }
                let segments = Self.segments(ConsoleRouteGuard.project + path)
                // What is written out wins over what takes any name, as for the server.
                let best = patterns.filter { Self.matches($0, segments) }
                    .min { Self.open($0) < Self.open($1) }
                found[try #require(best, "\(method) \(cell.path)"), default: 0] += 1
            }
            for pattern in patterns {
                #expect(found[pattern] == 1, "\(method) \(pattern.joined(separator: "/"))")
            }
        }
    }

    private static func segments(_ path: some StringProtocol) -> [Substring] {
        String(path).split(separator: "/").map { Substring($0) }
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count
            && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    private static func open(_ pattern: [Substring]) -> Int {
        pattern.count { $0.hasPrefix("{") }
    }

    // MARK: Settings pages, which have the same structure

    /// A page of settings and of lists, and what is below it.
    private struct Rules {
        var see: ConsoleAction
        var change: ConsoleAction
        var part: String
        var settings: [String] = []
        var lists: [String] = []

        private var names: [String] { settings.map { part + "/" + $0 } }
        private var kinds: [String] { lists.map { part + "/" + $0 } }

        var pages: [Cell] {
            ([part] + names + kinds + kinds.map { $0 + "/x" }).map { (see, $0) }
                + kinds.map { (change, $0 + "/x/remove") }
        }

        var forms: [Cell] {
            let ofNames = names.flatMap { [$0, $0 + "/undo"] }
            let acts = ["/create", "/x/change", "/x/undo", "/x/remove"]
            return (ofNames + kinds.flatMap { kind in acts.map { kind + $0 } }).map { (change, $0) }
        }
    }

    private static let rules = [
        Rules(
            see: .seeProject, change: .changeProject, part: "/settings",
            settings: ["environment", "theme"]),
        Rules(
            see: .seeTokenPolicy, change: .changeTokenPolicy, part: "/registration",
            settings: ["registration", "administrators"]),
        Rules(
            see: .seeTokenPolicy, change: .changeTokenPolicy, part: "/token-policy",
            settings: ["tokens"]),
        Rules(
            see: .seeWebAuthnPolicy, change: .changeWebAuthnPolicy, part: "/webauthn",
            settings: ["webauthn"]),
        Rules(
            see: .seePlatformSSOPolicy, change: .changePlatformSSOPolicy, part: "/platform-sso",
            settings: ["machines", "hardware", "cards", "token-service", "setup-assistant"]),
        Rules(
            see: .seeIdentityProviders, change: .changeIdentityProviders,
            part: "/identity-providers", lists: ["upstream", "custom"]),
        Rules(
            see: .seeAppRegistration, change: .changeAppRegistration, part: "/app-registration",
            settings: ["methods", "apple", "android", "associated-apps"]),
        Rules(
            see: .seeFingerprints, change: .changeFingerprints, part: "/fingerprints",
            lists: ["apps"]),
        Rules(
            see: .seeVersions, change: .changeVersions, part: "/versions", settings: ["unlisted"],
            lists: ["applications", "systems"]),
        Rules(
            see: .seePINPolicy, change: .changePINPolicy, part: "/pin-policy", settings: ["pin"]),
        Rules(
            see: .seeApprovalPolicy, change: .changeApprovalPolicy, part: "/approvals",
            settings: ["approvals"]),
    ]

    // MARK: The others

    private static let ownPages: [Cell] = [
        (.seeProject, ""), (.exportState, "/export"), (.exportState, "/state"),
        (.seePeople, "/people"), (.seePeople, "/people/nobody"),
        (.editPeople, "/people/nobody/details"),
        (.takeOverPeople, "/people/nobody/re-registration"),
        (.editPeople, "/people/nobody/invitation"),
        (.takeOverPeople, "/people/nobody/first-password"),
        (.seeGroups, "/groups"), (.seeGroups, "/groups/staff"),
        (.seeDevices, "/devices"), (.seeDevices, "/devices/none"),
        (.seeClients, "/clients"), (.seeClients, "/clients/none"),
        (.seeIssuerKeys, "/issuer-keys"), (.seeTestKeys, "/test-keys"),
        (.seeEntitlements, "/entitlement-sets"), (.seeEntitlements, "/entitlement-sequences"),
        (.giveEntitlements, "/entitlement-sets/x/people"),
        (.seeRegistrationTokens, "/registration-tokens"), (.seeAPITokens, "/api-tokens"),
        (.seeSigningKeys, "/keys"), (.seeEncryptionKeys, "/encryption-keys"),
        (.seeAudit, "/audit"), (.exportAudit, "/audit/export?format=csv"),
    ]

    /// A page that asks once more, and the form on it.
    private static let removals: [Cell] = [
        (.removeProject, "/remove"), (.removePeople, "/people/nobody/remove"),
        (.changePeople, "/people/nobody/installations/x/remove"),
        (.endDevices, "/devices/none/revoke"),
        (.endDevices, "/devices/none/users/nobody/remove"),
        (.removeClients, "/clients/none/remove"),
        (.changeIssuerKeys, "/issuer-keys/x/remove"), (.makeTestKeys, "/test-keys/x/revoke"),
        (.sweepTestPeople, "/test-keys/sweep"),
        (.changeEntitlementSets, "/entitlement-sets/x/remove"),
        (.changeEntitlementSets, "/entitlement-sequences/x/remove"),
        (.changeRegistrationTokens, "/registration-tokens/x/revoke"),
        (.changeAPITokens, "/api-tokens/x/revoke"),
        (.changeAPITokens, "/api-tokens/x/hand-over"), (.changeSigningKeys, "/keys/x/retire"),
        (.changeEncryptionKeys, "/encryption-keys/x/retire"),
    ]

    private static let ownForms: [Cell] = [
        // What it puts back is asked for by the row of what makes that.
        (.seeProject, "/put-back"), (.applyState, "/state/plan"), (.applyState, "/state/apply"),
        (.editPeople, "/people/create"), (.editPeople, "/people/nobody/details/change"),
        (.editPeople, "/people/nobody/details/undo"),
        (.changePeople, "/people/nobody/disable"), (.changePeople, "/people/nobody/enable"),
        (.changePeople, "/people/nobody/sign-out"),
        (.takeOverPeople, "/people/nobody/re-registration"),
        (.changePeople, "/people/nobody/re-registration/close"),
        (.editPeople, "/people/nobody/invitation"),
        (.takeOverPeople, "/people/nobody/first-password"),
        (.editPeople, "/people/nobody/invitation/withdraw"),
        (.giveEntitlements, "/people/nobody/entitlements"),
        (.giveEntitlements, "/people/nobody/expendable"),
        (.askApprovals, "/people/nobody/approvals"),
        (.changeGroups, "/groups"), (.changeGroups, "/groups/staff/add"),
        (.changeGroups, "/groups/staff/remove"),
        (.endDevices, "/devices/none/compliance"),
        (.changeRegistrationTokens, "/devices/none/register-again"),
        (.changeRegistrationTokens, "/registration-tokens/create"),
        (.changeClients, "/clients/create"), (.changeClients, "/clients/none/change"),
        (.changeClients, "/clients/none/undo"), (.changeClients, "/clients/none/disable"),
        (.changeClients, "/clients/none/enable"),
        (.changeIssuerKeys, "/issuer-keys/create"), (.makeTestKeys, "/test-keys/create"),
        (.changeEntitlementSets, "/entitlement-sets/save"),
        (.changeEntitlementSets, "/entitlement-sequences/save"),
        (.giveEntitlements, "/entitlement-sets/x/people/preview"),
        (.giveEntitlements, "/entitlement-sets/x/people/apply"),
        (.changeAPITokens, "/api-tokens/create"),
        (.changeSigningKeys, "/keys/rotate"), (.changeEncryptionKeys, "/encryption-keys/rotate"),
    ]
}
