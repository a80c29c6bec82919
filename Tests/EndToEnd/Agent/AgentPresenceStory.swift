// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// A person's key behind the touch of a security key, which is `gatehouse security-key emulate`.
    @Suite(
        "The agent and a security key", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    struct AgentPresenceStory {
        /// The possible messages: no key is connected, or the key was removed.
        private static let away = [
            "No security key is connected.", "The security key was removed.",
        ]

        @Test("a touch creates the key and signs in; without the security key the sign-in fails")
        func touch() async throws {
            let folder = try TemporaryDirectory()
            let socket = folder.file("stick").path()
            let stick = try await EmulatedKey(folder, options: ["--socket", socket])
            let (server, token) = try await ServerProcess.withMachines("agent-presence-provider")
            let machine = try AgentMachine(
                "agent-presence", arguments: ["--keys", "file", "--security-key", socket])
            var profile = TestProfile(
                issuer: server.issuer, token: token, method: "UserSecureEnclaveKey")
            profile.presence = "security_key_touch"
            try machine.install(profile)
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let person = try await machine.status()["people"].array?.first
            #expect(person?["security_key"] == true)
            // There is no terminal here, and the only prompt is the touch.
            let touched = try await machine.ask("agent", "sign-in")
            #expect(touched.status == 0, "\(touched.errors)")
            try await stick.stop()
            let missing = try await machine.ask("agent", "sign-in")
            #expect(missing.status == 1, "\(missing.output)")
            #expect(Self.away.contains(where: missing.errors.contains), "\(missing.errors)")
            let back = try await EmulatedKey(folder, options: ["--socket", socket])
            let again = try await machine.ask("agent", "sign-in")
            #expect(again.status == 0, "\(again.errors)")
            try await back.stop()
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }
    }
}
