import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPTypes
import NIOHTTP1
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Support
import Synchronization
import Testing

@testable import AdminEndpoints
@testable import WebPages
@testable import gatehouse

/// Whatever the Admin API can do, a command does: each is run against a service that writes down
/// what it is asked.
@Suite struct AdminCoverageTests {
    /// A call of the Admin API, and a command line that makes it. `FILE` is a file with an empty
    /// list of projects.
    struct Line: Sendable, CustomTestStringConvertible {
        let operation: String
        let text: String

        init(_ operation: String, _ text: String) {
            self.operation = operation
            self.text = text
        }

        var testDescription: String { "\(operation): gatehouse \(text)" }
    }

    private static let key = "01890a5d-ac96-774b-bcce-b302099a8057"

    /// Calls that no command makes, and why. None so far.
    private static let elsewhere: [String: String] = [:]

    private static let lines: [Line] =
        [
            Line("exportState", "export --json"), Line("planState", "plan FILE"),
            Line("applyState", "apply FILE"),
            Line("listProjects", "admin projects list"),
            Line("showProject", "admin projects show qa"),
            Line("putProject", "admin projects create qa"),
            Line("putProject", "admin projects change qa --environment production"),
            Line("removeProject", "admin projects remove qa --force"),
            Line("listAuditEvents", "admin audit --limit 1 --request f00d"),
            Line("rotateToken", "admin token rotate"), Line("makeSetUpLink", "admin setup-link"),
            Line("showStore", "admin store status"),
            Line("backUpStore", "admin store backup a.sqlite"),
            Line("sweepStore", "admin store sweep"),
            Line("listKeys", "keys list"), Line("rotateKey", "keys rotate"),
            Line("retireKey", "keys retire k"),
            Line("listEncryptionKeys", "keys encryption list"),
            Line("rotateEncryptionKey", "keys encryption rotate"),
            Line("retireEncryptionKey", "keys encryption retire \(key)"),
            Line("listAdministrators", "admin console list"),
            Line("grantAdministrator", "admin console grant --username a --role owner"),
            Line("revokeAdministrator", "admin console revoke --username a"),
            Line("listBelongings", "admin console belongings --username a"),
            Line("listAwaitedApprovals", "admin console awaiting"),
            Line("listAwaitedApprovals", "admin console approve --username a"),
            Line("giveApproval", "admin console approve --username a --credential \(key)"),
            Line("listAPITokens", "admin api-tokens list"),
            Line("createAPIToken", "admin api-tokens create --name ci --role support"),
            Line("handOverAPIToken", "admin api-tokens hand-over \(key) --to pia"),
            Line("handOverAPIToken", "admin api-tokens hand-over \(key) --keep-secret"),
            Line("revokeAPIToken", "admin api-tokens revoke \(key)"),
        ] + people + apps + rules

    private static let people: [Line] = [
        Line("listPeople", "admin people list --search an"),
        Line("showPerson", "admin people show a"),
        Line("putPerson", "admin people create a"),
        Line("putPerson", "admin people create a --password-file FILE --password-must-change"),
        Line("putPerson", "admin people set-password a --password-file FILE"),
        Line("putPerson", "admin people set-password a --generate"),
        Line("putPerson", "admin people change a name=Anna"),
        Line("putPerson", "admin people disable a"), Line("putPerson", "admin people enable a"),
        Line("endSessions", "admin people sign-out a"),
        Line("removeInstallation", "admin people remove-installation a \(key)"),
        Line("invitePerson", "admin people invite a --no-mail"),
        Line("withdrawInvitation", "admin people invite a --withdraw"),
        Line("openReRegistration", "admin people reregister a"),
        Line("closeReRegistration", "admin people reregister a --close"),
        Line("removePerson", "admin people remove a"),
        Line("releaseName", "admin people release-name a"),
        Line("listGroups", "admin groups list"),
        Line("listGroupMembers", "admin groups members staff"),
        Line("addGroupMember", "admin groups add staff a"),
        Line("removeGroupMember", "admin groups remove staff a"),
        Line("listApprovals", "admin approvals list a"),
        Line("askApproval", "admin approvals ask a --client bank"),
        Line("listEntitlementSets", "admin entitlements list"),
        Line("putEntitlementSet", "admin entitlements put gold vaults=1"),
        Line("removeEntitlementSet", "admin entitlements remove gold"),
        Line("showEntitlements", "admin entitlements show a"),
        Line("setEntitlements", "admin entitlements give a --set gold"),
        Line("changeExpendables", "admin entitlements refill a sms=1"),
        Line("giveEntitlementSet", "admin entitlements give-many gold --search a"),
        Line("takeEntitlementSet", "admin entitlements take-many gold --search a"),
        Line("listEntitlementSequences", "admin entitlements sequences list"),
        Line("showEntitlementSequence", "admin entitlements sequences show trial"),
        Line("putEntitlementSequence", "admin entitlements sequences put trial gold"),
        Line("removeEntitlementSequence", "admin entitlements sequences remove trial"),
        Line("listDevices", "admin devices list"), Line("showDevice", "admin devices show \(key)"),
        Line("revokeDevice", "admin devices revoke \(key)"),
        Line("removeDeviceUser", "admin devices remove-user \(key) a"),
        Line("putDeviceCompliance", "admin devices compliance \(key) compliant"),
        Line("listRegistrationTokens", "admin registration-tokens list"),
        Line("createRegistrationToken", "admin registration-tokens create"),
        Line("revokeRegistrationToken", "admin registration-tokens revoke \(key)"),
    ]

    private static let apps: [Line] = [
        Line("listClients", "admin clients list"), Line("showClient", "admin clients show shop"),
        Line("putClient", "admin clients create shop"),
        Line("putClient", "admin clients change shop client_name=Shop"),
        Line("removeClient", "admin clients remove shop"),
        Line("listIssuerKeys", "admin issuer-keys list"),
        Line(
            "putIssuerKey",
            "admin issuer-keys add https://i.example --kid k --alg ES256 --public-key-file FILE"),
        Line("removeIssuerKey", "admin issuer-keys remove \(key)"),
        Line("listTestKeys", "admin test-keys list"),
        Line("createTestKey", "admin test-keys create"),
        Line("revokeTestKey", "admin test-keys revoke k"),
        Line("sweepTestPeople", "admin test-keys sweep"),
        Line("listIdentityProviders", "admin identity-providers list"),
        Line("showIdentityProvider", "admin identity-providers show acme"),
        Line(
            "putIdentityProvider", "admin identity-providers put acme --kind oidc --client-id g"),
        Line("putIdentityProvider", "admin identity-providers disable acme"),
        Line("removeIdentityProvider", "admin identity-providers remove acme"),
        Line("listCustomIdentityProviders", "admin custom-identity-providers list"),
        Line("showCustomIdentityProvider", "admin custom-identity-providers show club"),
        Line(
            "putCustomIdentityProvider",
            "admin custom-identity-providers put club --url https://c.example/g"),
        Line("removeCustomIdentityProvider", "admin custom-identity-providers remove club"),
    ]

    private static let rules: [Line] = [
        Line("showTokenPolicy", "admin policy show tokens"),
        Line("putTokenPolicy", "admin policy set tokens refresh_grace=5"),
        Line("showWebAuthnPolicy", "admin policy show webauthn"),
        Line("putWebAuthnPolicy", "admin policy set webauthn rs1=false"),
        Line("showPlatformSSOPolicy", "admin policy show platform-sso"),
        Line("putPlatformSSOPolicy", "admin policy set platform-sso enabled=true"),
        Line("showApprovalPolicy", "admin policy show approvals"),
        Line("putApprovalPolicy", "admin policy set approvals enabled=true"),
        Line("showAssociatedApps", "admin policy show associated-apps"),
        Line("putAssociatedApps", "admin policy set associated-apps --file FILE"),
        Line("showTheme", "admin policy show theme"),
        Line("putTheme", "admin policy set theme accent=null"),
        Line("showPINPolicy", "admin pin-policy show"),
        Line("putPINPolicy", "admin pin-policy set --length 6"),
        Line("showRegistrationPolicy", "admin attestation show methods"),
        Line("putRegistrationPolicy", "admin attestation set methods FILE"),
        Line("showAppleAttestation", "admin attestation show apple"),
        Line("putAppleAttestation", "admin attestation set apple FILE"),
        Line("showAndroidAttestation", "admin attestation show android"),
        Line("putAndroidAttestation", "admin attestation set android FILE"),
        Line("listSigningFingerprints", "admin fingerprints list"),
        Line("showSigningFingerprint", "admin fingerprints show a.b"),
        Line("putSigningFingerprint", "admin fingerprints put a.b --fingerprint AB"),
        Line("removeSigningFingerprint", "admin fingerprints remove a.b"),
        Line("showVersionPolicy", "admin applications only-listed"),
        Line("putVersionPolicy", "admin applications only-listed on"),
        Line("listApplicationRules", "admin applications list"),
        Line("showApplicationRule", "admin applications show a.b"),
        Line("putApplicationRule", "admin applications put a.b"),
        Line("removeApplicationRule", "admin applications remove a.b"),
        Line("listSystemRules", "admin systems list"),
        Line("showSystemRule", "admin systems show ios"),
        Line("putSystemRule", "admin systems put ios"),
        Line("removeSystemRule", "admin systems remove ios"),
    ]

    private func endpoints() async throws -> [AdminEndpoint] {
        let provider = try await TestProvider.make()
        let token = try await AdminToken(Secret("gha_test"), provider) { _ in }
        return AdminAPI(
            provider, token: token,
            notices: LocalizedNotificationComposer(try WebResources().translations)
        ).endpoints
    }

    @Test("every call of the Admin API has a command, or a reason why it has none")
    func complete() async throws {
        let known = Set(try await endpoints().map(\.operation))
        let named = Set(Self.lines.map(\.operation)).union(Self.elsewhere.keys)
        #expect(known.subtracting(named).isEmpty, "no command")
        #expect(named.subtracting(known).isEmpty, "no such call")
    }

    @Test("every command under admin is in the table")
    func everyCommand() {
        let texts = Self.lines.map(\.text)
        for path in Self.paths(of: AdminCommand.self, ["admin"]) {
            let isThere = texts.contains { $0 == path || $0.hasPrefix(path + " ") }
            // Its other way is.
            #expect(isThere || path == "admin identity-providers enable", "\(path)")
        }
    }

    private static func paths(
        of parent: any ParsableCommand.Type, _ path: [String]
    ) -> [String] {
        let below = parent.configuration.subcommands
        guard !below.isEmpty else { return [path.joined(separator: " ")] }
        return below.flatMap { paths(of: $0, path + [$0._commandName]) }
    }

    @Test("the command makes the call; one that makes something changes nothing", arguments: lines)
    func calls(_ line: Line) async throws {
        let endpoint = try #require(
            try await endpoints().first { $0.operation == line.operation })
        let asked = Asked()
        // What is made must not be there before.
        let isNew = line.text.contains(" create ")
        let host = try await LoopbackHost { head in
            asked.note("\(head.method.rawValue) \(head.uri)")
            if head.method == .PUT, isNew {
                #expect(head.headers.first(name: "if-none-match") == "*")
            }
            if head.method == .GET, isNew { return LoopbackHost.Reply(status: 404) }
            return LoopbackHost.Reply(body: Array(Self.answer.utf8))
        }
        defer { Task { try await host.stop() } }
        try await run(line.text, on: host)
        let pattern = Self.segments(AdminAPI.prefix + endpoint.path)
        let made = asked.all.contains { call in
            let parts = call.split(separator: " ").map(String.init)
            let path = Self.segments(String(parts[1].prefix { $0 != "?" }))
            return parts[0] == endpoint.method.rawValue && path.count == pattern.count
                && zip(path, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        }
        #expect(made, "asked: \(asked.all)")
    }

    private func run(_ text: String, on host: LoopbackHost) async throws {
        let folder = TestFolder()
        let (token, file) = (folder.path("token"), folder.path("state.yaml"))
        try SecretFile.replace(token, Array("gha_test\n".utf8))
        try SecretFile.replace(file, Array("projects: []\n".utf8))
        let arguments = text.split(separator: " ").map { $0 == "FILE" ? file : String($0) }
        var command = try Gatehouse.parseAsRoot(
            arguments + ["--server", host.address, "--token-file", token])
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    @Test(
        "what is there already is said to be, by its name, with what changes it",
        arguments: ["people create a", "clients create a", "projects create a"])
    func exists(_ words: String) async throws {
        // Also when it was not there a moment ago.
        for isSeen in [false, true] {
            let host = try await LoopbackHost { head in
                if head.method == .GET { return LoopbackHost.Reply(status: isSeen ? 200 : 404) }
                return LoopbackHost.Reply(
                    status: 412, body: Array(#"{"code":"exists_already"}"#.utf8))
            }
            defer { Task { try await host.stop() } }
            let thing = ["people": "person", "clients": "client", "projects": "project"][
                words.prefix { $0 != " " }.lowercased()]
            let wanted = CommandError(
                "\(try #require(thing)) a exists; change it with gatehouse admin or gatehouse apply"
            )
            await #expect(throws: wanted) { try await run("admin " + words, on: host) }
        }
    }

    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// Something of everything that a command looks for.
    private static let answer =
        #"{"items":[],"changes":[],"token":"t","url":"u","private_key":"p","key_id":"k"}"#

    /// What the service was asked.
    private final class Asked: Sendable {
        private let calls = Mutex<[String]>([])

        var all: [String] { calls.withLock { $0 } }

        func note(_ call: String) { calls.withLock { $0.append(call) } }
    }
}
