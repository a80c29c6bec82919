// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndAgent {
    /// The agent and the provider as processes, and a person at a terminal.
    @Suite("The agent", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    struct AgentStory {
        @Test("a machine registers by its token, a person registers, signs in, renews and unseals")
        func whole() async throws { try await story("agent") }

        @Test(
            "the same with the provider on PostgreSQL",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            try await story("agent-postgresql", ["--database", url])
        }

        private func story(_ name: String, _ arguments: [String] = []) async throws {
            let (server, token) = try await ServerProcess.withMachines(
                "\(name)-provider", arguments: arguments)
            let machine = try AgentMachine(name)
            let agent = try machine.start()
            try await machine.answers()
            #expect(try await machine.ask("status").output.contains("No profile"))
            try machine.install(.init(issuer: server.issuer, token: token))
            let key = try await machine.registered()
            try await registerPerson(machine)
            try await useTokens(machine)
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            #expect(sealed.status == 0, "\(sealed.errors)")
            #expect(!sealed.output.contains("the key of the disk"))
            try await reboot(agent, machine, key, sealed.output)
            try await offline(machine, server, sealed.output)
        }

        private func registerPerson(_ machine: AgentMachine) async throws {
            let terminal = try await machine.terminal("register", "user")
            try await terminal.shows("Your user name")
            try await terminal.type("anna")
            try await terminal.press("Enter")
            try await terminal.shows("Password of anna")
            try await terminal.type("wrong")
            try await terminal.press("Enter")
            try await terminal.shows("does not know")
            try await terminal.shows("Password of anna")
            try await terminal.type(DeclaredState.password)
            try await terminal.press("Enter")
            let screen = try await terminal.shows("Unlock key")
            #expect(try await terminal.status() == 0)
            #expect(screen.contains("✓ Signed in as anna"))
            #expect(!screen.contains(DeclaredState.password))
        }

        private func useTokens(_ machine: AgentMachine) async throws {
            let first = try await machine.ask("agent", "token")
            #expect(first.output.split(separator: ".").count == 3, "\(first.errors)")
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            let second = try await machine.ask("agent", "token")
            #expect(second.output != first.output)
            let other = try await machine.ask("agent", "token", "--account", "nobody-at-all")
            #expect(other.status == 1)
        }

        /// Kills the agent and starts it again, without a prompt.
        private func reboot(
            _ agent: ChildProcess, _ machine: AgentMachine, _ key: String, _ sealed: String
        ) async throws {
            try await agent.stop(SIGKILL)
            #expect(try await machine.ask("status").errors.contains("no agent answers"))
            let again = try machine.start()
            #expect(try await machine.registered() == key)
            let opened = try await machine.ask("agent", "unseal", input: sealed)
            #expect(opened.output == "the key of the disk", "\(opened.errors)")
            let changed = sealed.replacingOccurrences(of: #""account":""#, with: #""account":"x"#)
            #expect(try await machine.ask("agent", "unseal", input: changed).status == 1)
            #expect(try await machine.ask("agent", "unseal", input: "nonsense").status == 2)
            try await again.stop()
        }

        /// Without the provider nothing that is sealed opens, and the profile's end ends everything.
        private func offline(
            _ machine: AgentMachine, _ server: ServerProcess, _ sealed: String
        ) async throws {
            let agent = try machine.start()
            _ = try await machine.registered()
            try await server.stop()
            let opened = try await machine.ask("agent", "unseal", input: sealed)
            #expect(opened.status == 1 && opened.errors.contains("cannot be reached"))
            #expect(opened.output.isEmpty)
            try FileManager.default.removeItem(at: machine.profile)
            try await eventually("the registration is gone") {
                try await machine.status()["devices"].array?.isEmpty == true ? true : nil
            }
            #expect(try await machine.ask("agent", "unseal", input: sealed).status == 1)
            #expect(try await agent.stop() == 0)
        }

        @Test("a person leaves the machine and comes back; the machine leaves, and stays away")
        func leaving() async throws {
            var (server, token) = try await ServerProcess.withMachines(
                "agent-leaving-provider", uses: 2)
            let machine = try AgentMachine("agent-leaving")
            let agent = try machine.start()
            try machine.install(.init(issuer: server.issuer, token: token))
            let key = try await machine.registered()
            let early = try await machine.ask("unregister", "user", "--yes")
            #expect(early.status == 1 && early.errors.contains("not registered"), "\(early)")
            try await registerPerson(machine)
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            let unasked = try await Command.run(
                try EmulatedKey.setsid,
                [Repository.gatehouse.path(), "unregister", "user", "--socket", machine.socket])
            #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked)")
            let left = try await machine.ask("unregister", "user", "--yes", "--json")
            #expect(left.status == 0, "\(left)")
            #expect(try await machine.ask("agent", "token").status == 1)
            #expect(try await machine.ask("agent", "unseal", input: sealed.output).status == 1)
            try await registerPerson(machine)

            try await server.stop()
            let offline = try await machine.ask("unregister", "device", "--yes")
            #expect(offline.status == 1 && offline.errors.contains("cannot be reached"))
            #expect(try await machine.registered() == key)
            server = try await server.restarted()
            let gone = try await machine.ask("unregister", "device", "--yes")
            #expect(gone.status == 0, "\(gone)")
            #expect(try await server.livingMachines() == 0)
            try await agent.stop(SIGKILL)
            let again = try machine.start()
            try await machine.answers()
            #expect(
                try await machine.status()["devices"].array?.first?["phase"].string == "waiting")
            let back = try await machine.ask("register", "device")
            #expect(back.status == 0, "\(back)")
            #expect(try await machine.registered() != key)
            try await again.stop()
            try await server.stop()
        }

        @Test("keys of a person become shared keys without a prompt: it stays the same device")
        func migration() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-migration-provider")
            let machine = try AgentMachine("agent-migration")
            try machine.install(.init(issuer: server.issuer, token: token, shared: false))
            let agent = try machine.start()
            try await machine.answers()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let before = try await machine.status()["devices"].array?.first
            #expect(before?["owner"].string?.hasPrefix("+") == true)
            // No token any more: what proves the machine is the key that it was known by.
            try machine.install(.init(issuer: server.issuer))
            let device = try await eventually("the keys have migrated", within: .seconds(60)) {
                let device = try await machine.status()["devices"].array?.first
                return device?["owner"].string == "*" && device?["phase"].string == "registered"
                    ? device : nil
            }
            #expect(device["key_id"].string != before?["key_id"].string)
            #expect(try await server.livingMachines() == 1)
            let again = try await machine.terminal("register", "user")
            try await again.shows("Password of anna")
            try await again.type(DeclaredState.password)
            try await again.press("Enter")
            try await again.shows("✓ Signed in as anna")
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("shared keys give way to keys of a person, and it is not there twice")
        func migrationBack() async throws {
            let (server, token) = try await ServerProcess.withMachines(
                "agent-migration-back-provider", uses: 2)
            let machine = try AgentMachine("agent-migration-back")
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            let key = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            try machine.install(.init(issuer: server.issuer, token: token, shared: false))
            try await eventually("the keys have migrated", within: .seconds(60)) {
                let device = try await machine.status()["devices"].array?.first
                return device?["owner"].string?.hasPrefix("+") == true
                    && device?["phase"].string == "registered" && device?["key_id"].string != key
                    ? true : nil
            }
            try await eventually("the machine is there once", within: .seconds(60)) {
                try await server.livingMachines() == 1 ? true : nil
            }
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("its keys are replaced by hand, and it stays the same machine")
        func rotation() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-rotation-provider")
            let machine = try AgentMachine("agent-rotation")
            try machine.install(
                .init(issuer: server.issuer, token: token, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            let key = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let person = try await machine.status()["people"].array?.first?["key_id"].string
            let rotated = try await machine.ask("agent", "rotate")
            #expect(rotated.status == 0, "\(rotated.errors)")
            #expect(try await machine.registered() != key)
            let now = try await machine.status()["people"].array?.first?["key_id"].string
            #expect(now != person)
            #expect(try await machine.ask("agent", "sign-in").status == 0)
            #expect(try await server.livingMachines() == 1)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("after a revocation all people on it are removed")
        func revoked() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-revoked-provider")
            let machine = try AgentMachine("agent-revoked")
            try machine.install(.init(issuer: server.issuer, token: token, grace: 7))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            let list = try await Command.gatehouse(
                "admin", "devices", "list", "--json", "--data-dir", server.dataDirectory)
            let devices = try JSON(parsing: Array(list.output.utf8))
            let first = (devices.array ?? devices["devices"].array ?? devices["items"].array)?.first
            let revoked = try await Command.gatehouse(
                "admin", "devices", "revoke", first?["id"].string ?? "", "--data-dir",
                server.dataDirectory)
            #expect(revoked.status == 0, "\(revoked.errors)")
            let opened = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(opened.status == 1 && opened.errors.contains("does not know this device"))
            try await server.stop()
            let offline = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(offline.status == 1 && offline.output.isEmpty)
            #expect(try await machine.ask("agent", "token").status == 1)
            #expect(try await agent.stop() == 0)
        }

        @Test("killed again and again while it registers, it registers once, with one token")
        func killed() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-kill-provider")
            let machine = try AgentMachine("agent-kill")
            try machine.install(.init(issuer: server.issuer, token: token))
            for round in 0..<10 {
                // The provider does not respond: the agent is in the middle of its first request.
                server.child.signal(SIGSTOP)
                let agent = try machine.start()
                try await eventually("it registers") {
                    let status = try? await machine.status()
                    let phase = status?["devices"].array?.first?["phase"].string
                    return phase == "registering" ? true : nil
                }
                // Half of the requests are answered to an agent that is about to end.
                if round.isMultiple(of: 2) { server.child.signal(SIGCONT) }
                try await agent.stop(SIGKILL)
                server.child.signal(SIGCONT)
            }
            let agent = try machine.start()
            _ = try await machine.registered()
            #expect(try await server.livingMachines() == 1)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }
    }
}
