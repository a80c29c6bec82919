// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The second provider assigns a person's name to another person.
    @Suite(
        "The agent at a second provider, and other people",
        .enabled(
            if: Repository.hasPeers && TerminalSession.isAvailable,
            "needs .venv of Scripts/bootstrap, and tmux"))
    struct SecondProviderPersonStory {
        private static let faults = [
            "claims: another subject", "claims: a subject in another case", "claims: no subject",
            "claims: an empty subject",
        ]

        @Test(
            "Attack: at a renewal or a new sign-in, a response for another person changes nothing")
        func somebodyElse() async throws {
            let provider = try await SecondProvider("agent-other-person-provider")
            let machine = try AgentMachine("agent-other-person")
            try machine.install(.init(issuer: provider.issuer, token: "token"))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let before = try await machine.ask("agent", "token")
            #expect(before.status == 0 && !before.output.isEmpty, "\(before.errors)")
            for fault in Self.faults {
                try await provider.control(fault: fault)
                let renewed = try await machine.ask("agent", "sign-in", "--refresh")
                #expect(renewed.status == 1, "\(fault)")
                #expect(
                    renewed.errors.contains("names another person"),
                    "\(fault): \(renewed.errors)")
                try await signIn(machine)
                let person = try await machine.status()["people"].array?.first
                #expect(person?["standing"].string == "signed_in", "\(fault)")
                #expect(person?["another_person_at"].string != nil, "\(fault)")
                #expect(try await machine.ask("agent", "token").output == before.output, "\(fault)")
            }
            try await provider.control()
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            let person = try await machine.status()["people"].array?.first
            #expect(person?["another_person_at"].string == nil)
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        /// With the right password, which is another person's now.
        private func signIn(_ machine: AgentMachine) async throws {
            let terminal = try await machine.terminal("agent", "sign-in")
            try await terminal.shows("Password of anna")
            try await terminal.type(DeclaredState.password)
            try await terminal.press("Enter")
            try await terminal.shows("names another person")
            #expect(try await terminal.status() == 1)
        }
    }
}
