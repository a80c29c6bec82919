// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// Sealed data while the provider is unreachable: a device in a separate network name space has
    /// only a loopback interface that is down.
    @Suite(
        "The agent without its provider", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    struct AgentOfflineStory {
        private static let hasNamespaces = getuid() == 0 && Repository.has("unshare")
        private static let unplugged = ["/usr/bin/unshare", "--net", "--"]

        @Test(
            "the key of a LUKS container opens within the grace period, also after a restart",
            .enabled(
                if: hasNamespaces && SoftwareTokens.isInstalled && Repository.has("cryptsetup"),
                "needs root, unshare, softhsm2 and cryptsetup"))
        func grace() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-offline-provider")
            let tokens = try await SoftwareTokens(["machine"])
            let machine = try AgentMachine.withToken("agent-offline", tokens)
            let profile = TestProfile(issuer: server.issuer, token: token, grace: 7)
            try machine.install(profile)
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let container = try await container(machine)
            #expect(try await opens(container, machine))
            try await agent.stop(SIGKILL)
            let unplugged = try machine.start(through: Self.unplugged)
            _ = try await machine.registered()
            #expect(try await opens(container, machine))
            // Without the policy the device stores nothing, and the stored data are deleted
            // permanently.
            try machine.install(.init(issuer: server.issuer, token: token))
            try await eventually("what was kept is erased") {
                try await unseal(machine).errors.contains("cannot be reached") ? true : nil
            }
            try machine.install(profile)
            try await unplugged.stop(SIGKILL)
            let again = try machine.start(through: Self.unplugged)
            _ = try await machine.registered()
            // The only reason is the unreachable provider.
            let closed = try await unseal(machine)
            #expect(closed.status == 1 && closed.errors.contains("cannot be reached"), "\(closed)")
            try await again.stop(SIGKILL)
            let back = try machine.start()
            _ = try await machine.registered()
            #expect(try await opens(container, machine))
            #expect(try await back.stop() == 0)
            try await server.stop()
        }

        /// A LUKS container whose key was sealed and thrown away.
        private func container(_ machine: AgentMachine) async throws -> String {
            let key = try machine.folder.write(UUID().uuidString, to: "disk.key")
            let path = try machine.folder.write("", to: "disk.img").path()
            guard truncate(path, 32 << 20) == 0 else { throw HarnessError("no room for a disk") }
            let formatted = try await cryptsetup(
                "luksFormat", "--batch-mode", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations",
                "1000", "--key-file", key.path(), path)
            guard formatted.status == 0 else { throw HarnessError(formatted.errors) }
            let sealed = try await machine.ask(
                "agent", "seal", "--input", key.path(), "--output",
                machine.folder.file("disk.sealed").path())
            guard sealed.status == 0 else { throw HarnessError(sealed.errors) }
            try FileManager.default.removeItem(at: key)
            return path
        }

        /// Whether the agent opens the key, and the key the container. Without device mapper in the
        /// kernel cryptsetup opens the slot of the key, and maps nothing.
        private func opens(_ container: String, _ machine: AgentMachine) async throws -> Bool {
            let key = machine.folder.file("opened.key")
            defer { try? FileManager.default.removeItem(at: key) }
            let opened = try await unseal(machine, to: ["--output", key.path()])
            guard opened.status == 0 else { return false }
            let tested = try await cryptsetup(
                "open", "--test-passphrase", "--key-file", key.path(), container)
            guard tested.status == 0 else { throw HarnessError(tested.errors) }
            return true
        }

        private func unseal(
            _ machine: AgentMachine, to output: [String] = []
        ) async throws -> Command.Outcome {
            try await Command.run(
                Repository.gatehouse,
                [
                    "agent", "unseal", "--socket", machine.socket, "--input",
                    machine.folder.file("disk.sealed").path(),
                ] + output)
        }

        private func cryptsetup(_ words: String...) async throws -> Command.Outcome {
            try await Command.run(
                Repository.path(of: "cryptsetup") ?? URL(filePath: "/usr/sbin/cryptsetup"), words)
        }

        @Test("a login program lets in as the profile says, with the provider and without")
        func admission() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-admit-provider")
            let machine = try AgentMachine("agent-admit")
            var profile = TestProfile(issuer: server.issuer, token: token, grace: 7)
            profile.loginPolicy = ["RequireAuthentication", "AllowOfflineGracePeriod"]
            try machine.install(profile)
            let agent = try machine.start()
            _ = try await machine.registered()
            func admit(_ password: String, _ words: String...) async throws -> Command.Outcome {
                try await Command.run(
                    Repository.gatehouse,
                    ["agent", "admit", "login", "--socket", machine.socket] + words,
                    input: password)
            }
            let newcomer = try await admit("x", "--account", "bea", "--local", "right")
            #expect(newcomer.status == 1 && newcomer.errors.contains("must be registered"))
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            #expect(try await admit(DeclaredState.password).status == 0)
            #expect(try await admit("", "--local", "right").errors.contains("needs the password"))
            try await server.stop()
            let offline = try await admit(DeclaredState.password, "--local", "right", "--json")
            #expect(offline.status == 0 && offline.output.contains("offline_grace"))
            #expect(try await admit(DeclaredState.password, "--local", "wrong").status == 1)
            let status = try await machine.ask("status").output
            #expect(status.contains("your password at the provider"), "\(status)")
            #expect(status.contains("offline your"), "\(status)")
            #expect(try await agent.stop() == 0)
        }

        @Test("with keys in a file it opens until the agent ends, and the disk alone opens nothing")
        func file() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-grace-provider")
            let machine = try AgentMachine("agent-grace")
            try machine.install(.init(issuer: server.issuer, token: token, grace: 7))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            try await server.stop()
            let opened = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(opened.output == "the key of the disk", "\(opened.errors)")
            try await agent.stop(SIGKILL)
            let again = try machine.start()
            _ = try await machine.registered()
            let closed = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(closed.status == 1 && closed.errors.contains("cannot be reached"))
            #expect(try await again.stop() == 0)
        }
    }
}
