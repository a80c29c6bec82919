// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The agent with an independent provider, written from Apple's documents.
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

        @Test(
            "it is accepted without errors, and each of its wrong responses is refused with its reason"
        )
        func faults() async throws {
            let (provider, machine, agent) = try await signedIn("agent-second", grace: 7)
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk").output
            let faults = try await provider.state()["faults"].array?.compactMap(\.string) ?? []
            #expect(Set(faults) == Set(SecondProviderFaults.reasons.keys))
            for (fault, reason) in SecondProviderFaults.reasons {
                try await provider.control(fault: fault)
                let outcome =
                    fault.hasPrefix("key:")
                    ? try await machine.ask("agent", "unseal", input: sealed)
                    : try await machine.ask("agent", "sign-in", "--refresh")
                expect(outcome, isRefusedFor: reason, fault)
            }
            // An answer of the key service comes in the same envelope.
            for (fault, reason) in SecondProviderFaults.ofEveryAnswer {
                try await provider.control(fault: fault)
                let outcome = try await machine.ask("agent", "unseal", input: sealed)
                expect(outcome, isRefusedFor: reason, "\(fault), around a key")
            }
            try await provider.control()
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            let opened = try await machine.ask("agent", "unseal", input: sealed)
            #expect(opened.output == "the key of the disk", "\(opened.errors)")
            try await provider.control(fault: "401")
            let refused = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(refused.errors.contains("sign in again"), "\(refused.errors)")
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        /// It is the answer that is refused, and the person stays signed in.
        private func expect(
            _ outcome: Command.Outcome, isRefusedFor reason: String, _ fault: String
        ) {
            #expect(outcome.status == 1, "\(fault): \(outcome.output)")
            #expect(outcome.output.isEmpty, "\(fault)")
            #expect(outcome.errors.contains(reason), "\(fault): \(outcome.errors)")
            #expect(!outcome.errors.contains("sign in again"), "\(fault)")
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

        @Test(
            "killed while it replaces its keys, it is the same machine, known by the keys that it has"
        )
        func rotation() async throws {
            let (provider, machine, first) = try await signedIn("agent-reboot-rotation")
            var agent = first
            // The directory, a nonce, the keys and the registration, for each of the two keys.
            for request in 1...8 {
                for afterwards in [false, true] {
                    try await provider.control(hold: request, afterwards: afterwards)
                    let asking = Task { try await machine.ask("agent", "rotate") }
                    try await held(provider)
                    try await agent.stop(SIGKILL)
                    #expect(try await asking.value.status == 1)
                    try await provider.control()
                    agent = try machine.start()
                    _ = try await machine.registered()
                    let rotated = try await machine.ask("agent", "rotate")
                    #expect(rotated.status == 0, "\(request) \(afterwards): \(rotated.errors)")
                    let renewed = try await machine.ask("agent", "sign-in", "--refresh")
                    #expect(renewed.status == 0, "\(request) \(afterwards): \(renewed.errors)")
                }
            }
            #expect(try await provider.state()["devices"] == 1)
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        @Test(
            "killed while a person is asked, and while they sign in first, nothing is left half done"
        )
        func asked() async throws {
            let provider = try await SecondProvider("agent-reboot-person-provider")
            let machine = try AgentMachine("agent-reboot-person")
            try machine.install(.init(issuer: provider.issuer, token: "token"))
            var agent = try machine.start()
            _ = try await machine.registered()
            // While their name is asked for, by the extension, in the call that registers them.
            let naming = try await machine.terminal("register", "user")
            try await naming.shows("Your user name")
            try await agent.stop(SIGKILL)
            agent = try machine.start()
            _ = try await machine.registered()
            #expect(try await machine.status()["people"].array?.first?["phase"].string == "waiting")
            // While their password is asked for, by the agent, and while the provider looks at it.
            try await killedAtPassword(machine, provider, &agent, request: 0)
            for request in 1...3 {
                try await killedAtPassword(machine, provider, &agent, request: request)
            }
            let last = try await machine.terminal("register", "user")
            try await last.shows("Password of anna")
            try await last.type(DeclaredState.password)
            try await last.press("Enter")
            try await last.shows("✓ Signed in as anna")
            #expect(try await provider.state()["devices"] == 1)
            #expect(try await agent.stop() == 0)
            try await provider.stop()
        }

        /// - Parameter request: Which request of the sign-in is held when the agent is killed; 0 for none.
        private func killedAtPassword(
            _ machine: AgentMachine, _ provider: SecondProvider, _ agent: inout ChildProcess,
            request: Int
        ) async throws {
            let terminal = try await machine.terminal("register", "user")
            let phase = try await machine.status()["people"].array?.first?["phase"].string
            if phase != "signing-in" {
                try await terminal.shows("Your user name")
                try await terminal.type("anna")
                try await terminal.press("Enter")
            }
            try await terminal.shows("Password of anna")
            if request > 0 {
                try await provider.control(hold: request, afterwards: true)
                try await terminal.type(DeclaredState.password)
                try await terminal.press("Enter")
                try await held(provider)
            }
            try await agent.stop(SIGKILL)
            try await provider.control()
            agent = try machine.start()
            _ = try await machine.registered()
            let person = try await machine.status()["people"].array?.first
            #expect(person?["phase"].string == "signing-in")
            #expect(person?["standing"].string == "signed_out")
        }

        @Test("killed while it renews, it keeps the person signed in")
        func renewal() async throws {
            let (provider, machine, first) = try await signedIn("agent-reboot-renewal")
            var agent = first
            // A nonce, the refresh, and the keys to verify its response.
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
