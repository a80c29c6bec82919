// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// WS-Trust from the agent: an independent security token service signs for a person, and the
    /// provider accepts it.
    @Suite(
        "The agent and a federation's token service",
        .enabled(
            if: Repository.hasPeers && TerminalSession.isAvailable && Repository.has("openssl")
                && Repository.has("curl"),
            "needs .venv of Scripts/bootstrap, tmux, openssl and curl"))
    struct AgentFederationStory {
        private static let user = "anna@corp.example.com"

        /// Returns a provider that accepts the service, a device, and Anna, who registers there.
        private func federated(
            _ name: String
        ) async throws -> (ServerProcess, AgentMachine, ChildProcess, FederationService) {
            let service = try await FederationService("\(name)-service", user: Self.user)
            let (server, token) = try await ServerProcess.withMachines(
                "\(name)-provider", methods: ["password"])
            let platform: [String: JSON] = [
                "enabled": true, "allowed_methods": ["password"],
            ]
            let state = DeclaredState(
                users: [
                    DeclaredState.user(Self.user, email: Self.user),
                    DeclaredState.user("bea"),
                ],
                platformSSO: .object(platform.merging(service.settings) { $1 }))
            try await server.apply(state.text)
            let machine = try AgentMachine(
                name,
                arguments: ["--keys", "file", "--ca", service.authority.root.path()])
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            _ = try await machine.registered()
            return (server, machine, agent, service)
        }

        @Test(
            "its password goes there and its assertion to the provider; others' stays with the provider"
        )
        func whole() async throws {
            let (server, machine, agent, service) = try await federated("agent-federation")
            let terminal = try await machine.terminal("register", "user")
            try await terminal.shows("Your user name")
            try await terminal.type(Self.user)
            try await terminal.press("Enter")
            // The provider's own password is none to the token service.
            for password in [DeclaredState.password, FederationService.password] {
                try await terminal.shows("Password of \(Self.user)")
                try await terminal.type(password)
                try await terminal.press("Enter")
                if password == DeclaredState.password { try await terminal.shows("does not know") }
            }
            let screen = try await terminal.shows("✓ Signed in as \(Self.user)")
            #expect(try await terminal.status() == 0)
            #expect(!screen.contains(FederationService.password))
            let seen = try await service.control()
            #expect(seen["requests"] == 2 && seen["right"] == 1 && seen["issued"] == 1, "\(seen)")
            // From here on it is as after any login.
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            let opened = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(opened.output == "the key of the disk", "\(sealed.errors) \(opened.errors)")
            #expect(try await service.control()["requests"] == 2)
            #expect(try await agent.stop() == 0)
            try await service.stop()
            try await server.stop()
        }

        @Test("an invalid or missing signature of the token service signs no person in")
        func refused() async throws {
            let (server, machine, agent, service) = try await federated("agent-federation-refused")
            try await machine.register(
                [("Password of \(Self.user)", FederationService.password)], as: Self.user)
            for fault in ["realm", "expired", "unsigned", "stranger", "fault", "redirect"] {
                try await service.control(fault: fault)
                let terminal = try await machine.terminal("agent", "sign-in")
                try await terminal.shows("Password of \(Self.user)")
                try await terminal.type(FederationService.password)
                try await terminal.press("Enter")
                #expect(try await terminal.status() == 1, "\(fault)")
            }
            try await service.control(fault: "")
            let terminal = try await machine.terminal("agent", "sign-in")
            try await terminal.shows("Password of \(Self.user)")
            try await terminal.type(FederationService.password)
            try await terminal.press("Enter")
            #expect(try await terminal.status() == 0)
            #expect(try await agent.stop() == 0)
            try await service.stop()
            try await server.stop()
        }

        @Test(
            "a person of another domain enters their password for the provider alone")
        func others() async throws {
            let (server, machine, agent, service) = try await federated("agent-federation-others")
            try await machine.register([("Password of bea", DeclaredState.password)], as: "bea")
            let seen = try await service.control()
            #expect(seen["descriptions"] == 0 && seen["requests"] == 0, "\(seen)")
            #expect(try await agent.stop() == 0)
            try await service.stop()
            try await server.stop()
        }
    }
}
