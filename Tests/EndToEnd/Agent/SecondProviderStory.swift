// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The agent meets a provider that somebody else wrote, from Apple's documents.
    @Suite(
        "The agent at a second provider",
        .enabled(
            if: Repository.hasPeers && TerminalSession.isAvailable,
            "needs .venv of Scripts/bootstrap, and tmux"))
    struct SecondProviderStory {
        private func signedIn(
            _ name: String, grace: Int? = nil
        ) async throws -> (SecondProvider, AgentMachine, ChildProcess) {
            let provider = try await SecondProvider("\(name)-provider")
            let machine = try AgentMachine(name)
            try machine.install(.init(issuer: provider.issuer, token: "token", grace: grace))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            return (provider, machine, agent)
        }

        @Test("it is taken at its word, and then none of its wrong answers is believed")
        func faults() async throws {
            let (provider, machine, agent) = try await signedIn("agent-second", grace: 7)
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            let faults = try await provider.state()["faults"].array?.compactMap(\.string) ?? []
            #expect(faults.count == 53)
            for fault in faults {
                try await provider.control(fault: fault)
                let outcome =
                    fault.hasPrefix("key:")
                    ? try await machine.ask("agent", "unseal", input: sealed.output)
                    : try await machine.ask("agent", "sign-in", "--refresh")
                #expect(outcome.status == 1, "\(fault): \(outcome.output)")
                #expect(outcome.output.isEmpty, "\(fault)")
                // It is the answer that is refused, and the person stays signed in.
                #expect(!outcome.errors.contains("sign in again"), "\(fault)")
            }
            try await provider.control()
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            let opened = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(opened.output == "the key of the disk", "\(opened.errors)")
            try await provider.control(fault: "401")
            let refused = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(refused.errors.contains("sign in again"), "\(refused.errors)")
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        /// Of a registration: the directory, a nonce, the keys, and the registration itself.
        private static let requests = 4

        @Test(
            "killed before and after the provider has dealt with each request, it registers once",
            arguments: 1...requests, [false, true])
        func registration(request: Int, afterwards: Bool) async throws {
            let provider = try await SecondProvider("agent-reboot-provider")
            let machine = try AgentMachine("agent-reboot")
            try machine.install(.init(issuer: provider.issuer, token: "token"))
            try await provider.control(hold: request, afterwards: afterwards)
            try await rebooted(machine, provider)
            let agent = try machine.start()
            _ = try await machine.registered()
            #expect(try await provider.state()["devices"] == 1)
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        @Test("killed while it renews, it keeps the person signed in")
        func renewal() async throws {
            let (provider, machine, first) = try await signedIn("agent-reboot-renewal")
            var agent = first
            // A nonce, the refresh, and the keys to judge its answer by.
            for request in 1...3 {
                for afterwards in [false, true] {
                    try await provider.control(hold: request, afterwards: afterwards)
                    let asking = Task { try await machine.ask("agent", "sign-in", "--refresh") }
                    try await held(provider)
                    try await agent.stop(SIGKILL)
                    #expect(try await asking.value.status == 1)
                    try await provider.control()
                    agent = try machine.start()
                    _ = try await machine.registered()
                    let renewed = try await machine.ask("agent", "sign-in", "--refresh")
                    #expect(renewed.status == 0, "\(request) \(afterwards): \(renewed.errors)")
                }
            }
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        /// The agent starts, is killed while its request is held, and is not there afterwards.
        private func rebooted(
            _ machine: AgentMachine, _ provider: SecondProvider
        ) async throws {
            let agent = try machine.start()
            try await held(provider)
            try await agent.stop(SIGKILL)
            try await provider.control()
        }

        private func held(_ provider: SecondProvider) async throws {
            try await eventually("the request is held") {
                if case .bool(true) = try await provider.state()["held"] { true } else { nil }
            }
        }
    }
}
