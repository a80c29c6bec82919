// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentClient
import Primitives
import Support
import Testing

/// People who sign in with another name than their account's, and mistype their password.
@Suite struct MistypedNameTests {
    private let setting = SignInSetting()
    private static let name = "anna.b@example.com"

    private func suggestions(_ person: ScriptedConversation) -> [String?] {
        person.questions.compactMap { question -> String?? in
            guard case .line(_, let suggestion) = question else { return nil }
            return .some(suggestion)
        }
    }

    @Test("A name that is asked for again is the one that they typed, and Enter takes it")
    func suggested() async throws {
        let exchange = ProviderExchange(
            web: try PlayedPages(clock: setting.clock), clock: setting.clock,
            random: SystemRandomSource())
        let (agent, _) = try await setting.registered(
            TestProfile(token: "t"),
            serving: BuiltInExtensions(GatehouseExtension(exchange: exchange, keys: setting.keys)))
        let first = ScriptedConversation([Self.name, "wrong", "wrong", "wrong"])
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, first)
        }
        #expect(suggestions(first) == ["anna"])
        #expect(await agent.record.people["anna"]?.isNameDoubted == true)
        let second = ScriptedConversation([""])
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, second)
        }
        #expect(suggestions(second) == [Self.name])
        #expect(await agent.record.people["anna"]?.loginUserName == Self.name)
    }
}
