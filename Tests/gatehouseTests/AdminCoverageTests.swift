// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import NIOHTTP1
import ProviderAdministration
import Support
import Synchronization
import Testing

@testable import gatehouse

/// Whatever the Admin API can do, a command does: each is run against a service that writes down
/// what it is asked.
@Suite struct AdminCoverageTests {
    /// A call of the Admin API, and a command line that makes it. `FILE` is a file with an empty
    /// list of projects.
    struct Line: Sendable, CustomTestStringConvertible {
        let operation: AdministrativeOperation
        let text: String

        init(_ operation: AdministrativeOperation, _ text: String) {
            self.operation = operation
            self.text = text
        }

        var testDescription: String { "\(operation.rawValue): gatehouse \(text)" }
    }

    private static let key = "01890a5d-ac96-774b-bcce-b302099a8057"

    /// The command lines that make a call. A new operation does not compile without one here.
    private static func commands(for operation: AdministrativeOperation) -> [String] {
        switch operation {
        case .exportState: ["export --json"]
        case .planState: ["plan FILE"]
        case .applyState: ["apply FILE"]
        case .showStore: ["admin store status"]
        case .backUpStore: ["admin store backup a.sqlite"]
        case .sweepStore: ["admin store sweep"]
        case .rotateToken: ["admin token rotate"]
        case .makeSetUpLink: ["admin setup-link"]
        case .listAuditEvents: ["admin audit --limit 1 --request f00d"]
        case .listAdministrators: ["admin console list"]
        case .grantAdministrator: ["admin console grant --username a --role owner"]
        case .revokeAdministrator: ["admin console revoke --username a"]
        case .listBelongings: ["admin console belongings --username a"]
        case .listAwaitedApprovals:
            ["admin console awaiting", "admin console approve --username a"]
        case .giveApproval: ["admin console approve --username a --credential \(key)"]
        case .listProjects: ["admin projects list"]
        case .showProject: ["admin projects show qa"]
        case .putProject:
            ["admin projects create qa", "admin projects change qa --environment production"]
        case .removeProject: ["admin projects remove qa --force"]
        case .listKeys: ["keys list"]
        case .rotateKey: ["keys rotate"]
        case .retireKey: ["keys retire k"]
        case .listEncryptionKeys: ["keys encryption list"]
        case .rotateEncryptionKey: ["keys encryption rotate"]
        case .retireEncryptionKey: ["keys encryption retire \(key)"]
        case .listAPITokens: ["admin api-tokens list"]
        case .createAPIToken: ["admin api-tokens create --name ci --role support"]
        case .handOverAPIToken:
            [
                "admin api-tokens hand-over \(key) --to pia",
                "admin api-tokens hand-over \(key) --keep-secret",
            ]
        case .revokeAPIToken: ["admin api-tokens revoke \(key)"]
        case .listPeople: ["admin people list --search an"]
        case .showPerson: ["admin people show a"]
        case .putPerson:
            [
                "admin people create a",
                "admin people create a --password-file FILE --password-must-change",
                "admin people set-password a --password-file FILE",
                "admin people set-password a --generate", "admin people change a name=Anna",
                "admin people disable a", "admin people enable a",
            ]
        case .removePerson: ["admin people remove a"]
        case .endSessions: ["admin people sign-out a"]
        case .removeInstallation: ["admin people remove-installation a \(key)"]
        case .releaseName: ["admin people release-name a"]
        case .invitePerson: ["admin people invite a --no-mail"]
        case .withdrawInvitation: ["admin people invite a --withdraw"]
        case .openReRegistration: ["admin people reregister a"]
        case .closeReRegistration: ["admin people reregister a --close"]
        case .listApprovals: ["admin approvals list a"]
        case .askApproval: ["admin approvals ask a --client bank"]
        case .listGroups: ["admin groups list"]
        case .listGroupMembers: ["admin groups members staff"]
        case .addGroupMember: ["admin groups add staff a"]
        case .removeGroupMember: ["admin groups remove staff a"]
        case .listEntitlementSets: ["admin entitlements list"]
        case .putEntitlementSet: ["admin entitlements put gold vaults=1"]
        case .removeEntitlementSet: ["admin entitlements remove gold"]
        case .giveEntitlementSet: ["admin entitlements give-many gold --search a"]
        case .takeEntitlementSet: ["admin entitlements take-many gold --search a"]
        case .listEntitlementSequences: ["admin entitlements sequences list"]
        case .showEntitlementSequence: ["admin entitlements sequences show trial"]
        case .putEntitlementSequence: ["admin entitlements sequences put trial gold"]
        case .removeEntitlementSequence: ["admin entitlements sequences remove trial"]
        case .showEntitlements: ["admin entitlements show a"]
        case .setEntitlements: ["admin entitlements give a --set gold"]
        case .changeExpendables: ["admin entitlements refill a sms=1"]
        case .listClients: ["admin clients list"]
        case .showClient: ["admin clients show shop"]
        case .putClient:
            ["admin clients create shop", "admin clients change shop client_name=Shop"]
        case .removeClient: ["admin clients remove shop"]
        case .listIssuerKeys: ["admin issuer-keys list"]
        case .putIssuerKey:
            ["admin issuer-keys add https://i.example --kid k --alg ES256 --public-key-file FILE"]
        case .removeIssuerKey: ["admin issuer-keys remove \(key)"]
        case .listTestKeys: ["admin test-keys list"]
        case .createTestKey: ["admin test-keys create"]
        case .revokeTestKey: ["admin test-keys revoke k"]
        case .sweepTestPeople: ["admin test-keys sweep"]
        case .listDevices: ["admin devices list"]
        case .showDevice: ["admin devices show \(key)"]
        case .revokeDevice: ["admin devices revoke \(key)"]
        case .removeDeviceUser: ["admin devices remove-user \(key) a"]
        case .putDeviceCompliance: ["admin devices compliance \(key) compliant"]
        case .listRegistrationTokens: ["admin registration-tokens list"]
        case .createRegistrationToken: ["admin registration-tokens create"]
        case .revokeRegistrationToken: ["admin registration-tokens revoke \(key)"]
        case .listIdentityProviders: ["admin identity-providers list"]
        case .showIdentityProvider: ["admin identity-providers show acme"]
        case .putIdentityProvider:
            [
                "admin identity-providers put acme --kind oidc --client-id g",
                "admin identity-providers disable acme",
            ]
        case .removeIdentityProvider: ["admin identity-providers remove acme"]
        case .listCustomIdentityProviders: ["admin custom-identity-providers list"]
        case .showCustomIdentityProvider: ["admin custom-identity-providers show club"]
        case .putCustomIdentityProvider:
            ["admin custom-identity-providers put club --url https://c.example/g"]
        case .removeCustomIdentityProvider: ["admin custom-identity-providers remove club"]
        case .listSigningFingerprints: ["admin fingerprints list"]
        case .showSigningFingerprint: ["admin fingerprints show a.b"]
        case .putSigningFingerprint: ["admin fingerprints put a.b --fingerprint AB"]
        case .removeSigningFingerprint: ["admin fingerprints remove a.b"]
        case .listApplicationRules: ["admin applications list"]
        case .showApplicationRule: ["admin applications show a.b"]
        case .putApplicationRule: ["admin applications put a.b"]
        case .removeApplicationRule: ["admin applications remove a.b"]
        case .listSystemRules: ["admin systems list"]
        case .showSystemRule: ["admin systems show ios"]
        case .putSystemRule: ["admin systems put ios"]
        case .removeSystemRule: ["admin systems remove ios"]
        case .showTokenPolicy: ["admin policy show tokens"]
        case .putTokenPolicy: ["admin policy set tokens refresh_grace=5"]
        case .showWebAuthnPolicy: ["admin policy show webauthn"]
        case .putWebAuthnPolicy: ["admin policy set webauthn rs1=false"]
        case .showPlatformSSOPolicy: ["admin policy show platform-sso"]
        case .putPlatformSSOPolicy: ["admin policy set platform-sso enabled=true"]
        case .showPINPolicy: ["admin pin-policy show"]
        case .putPINPolicy: ["admin pin-policy set length=6"]
        case .showApprovalPolicy: ["admin policy show approvals"]
        case .putApprovalPolicy: ["admin policy set approvals enabled=true"]
        case .showAssociatedApps: ["admin policy show associated-apps"]
        case .putAssociatedApps: ["admin policy set associated-apps --file FILE"]
        case .showTheme: ["admin policy show theme"]
        case .putTheme: ["admin policy set theme accent=null"]
        case .showRegistrationPolicy: ["admin attestation show methods"]
        case .putRegistrationPolicy: ["admin attestation set methods FILE"]
        case .showVersionPolicy: ["admin applications only-listed"]
        case .putVersionPolicy: ["admin applications only-listed on"]
        case .showAppleAttestation: ["admin attestation show apple"]
        case .putAppleAttestation: ["admin attestation set apple FILE"]
        case .showAndroidAttestation: ["admin attestation show android"]
        case .putAndroidAttestation: ["admin attestation set android FILE"]
        }
    }

    private static let lines = AdministrativeOperation.allCases.flatMap { operation in
        commands(for: operation).map { Line(operation, $0) }
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
        let route = line.operation.route
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
        let pattern = Self.segments("/admin/v1" + route.path)
        let made = asked.all.contains { call in
            let parts = call.split(separator: " ").map(String.init)
            let path = Self.segments(String(parts[1].prefix { $0 != "?" }))
            return parts[0] == route.method.rawValue && path.count == pattern.count
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
