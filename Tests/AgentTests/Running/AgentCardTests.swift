import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing
import WebAuthn

/// Signing in with smart cards, which SoftHSM plays.
@Suite(.enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
struct AgentCardTests {
    private let setting = SignInSetting()
    private let reader = CardReader(module: SoftwareTokens.module)

    private func registered(
        accepted: KeyPath<SharedTokens, SoftwareTokens.Card> = \.anna
    ) async throws -> Agent { try await parties(accepted).agent }

    /// - Parameter accepted: Whose card the provider takes.
    private func parties(
        _ accepted: KeyPath<SharedTokens, SoftwareTokens.Card> = \.anna
    ) async throws -> (agent: Agent, provider: PlayedProvider) {
        let shared = try await SharedTokens.ready
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", method: "SmartCard"), cards: reader)
        let certificate = shared[keyPath: accepted].certificate
        let key = try #require(try AttestationChain(der: [certificate]).leaf.publicKey)
        provider.accept(.smartCard(key, certificate: certificate))
        return (agent, provider)
    }

    private func standing(_ agent: Agent) async -> String? {
        await agent.status(of: "anna").people.first?.standing
    }

    @Test("Of two cards the person chooses theirs, and its PIN signs them in")
    func chosen() async throws {
        let agent = try await registered()
        let person = ScriptedConversation(["anna", SoftwareTokens.pin])
        try await agent.registerPerson("anna", repair: false, person)
        // Other tests type wrong PINs into the same card, of which it tells.
        let asked = person.questions.last
        #expect(
            [.secret("PIN of anna:"), .secret("PIN of anna (a wrong one was typed before):")]
                .contains(asked))
        #expect(person.choices.sorted() == ["anna", "bea"])
        #expect(await standing(agent) == "signed_in")
        #expect(await agent.record.registrations.people["anna"]?.phase == .registered)
    }

    @Test("An RSA card signs in as well")
    func rsa() async throws {
        let agent = try await registered(accepted: \.bea)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation(["bea", SoftwareTokens.pin]))
        #expect(await standing(agent) == "signed_in")
    }

    @Test("A wrong PIN is said to be one, and asked for again, three times in all")
    func wrongPIN() async throws {
        let agent = try await registered()
        let person = ScriptedConversation(["anna", "000000", "anna", SoftwareTokens.pin])
        try await agent.registerPerson("anna", repair: false, person)
        #expect(person.steps.filter { $0 == .wrongPIN }.count == 1)
        let other = ScriptedConversation(["anna", "1", "anna", "2", "anna", "3", "anna", "4"])
        await #expect(throws: AgentRefusal.self) { try await agent.signIn("anna", other) }
        #expect(other.questions.count == 6)
        #expect(await standing(agent) == "signed_in")
    }

    @Test("A card that the provider does not accept is not asked for again")
    func refused() async throws {
        let agent = try await registered()
        let person = ScriptedConversation(["bea", SoftwareTokens.pin, "bea", SoftwareTokens.pin])
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.registerPerson("anna", repair: false, person)
        }
        #expect(refusal?.code == "wrong_credential")
        #expect(person.questions.count == 2)
    }

    @Test("Cancelling at the card or the PIN ends the sign-in", arguments: [[], ["anna"]])
    func givenUp(answers: [String]) async throws {
        let agent = try await registered()
        await #expect(throws: PresentationError.cancelled) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation(answers))
        }
        #expect(await standing(agent) == "signed_out")
    }

    @Test("Attack: a card of another person at the provider does not sign in Anna")
    func anotherPerson() async throws {
        let (agent, provider) = try await parties()
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation(["anna", SoftwareTokens.pin]))
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await agent.signIn("anna", ScriptedConversation(["anna", SoftwareTokens.pin]))
        }
        try await expectKept(agent, before)
    }

    @Test("Tokens are renewed without the card")
    func renewal() async throws {
        let agent = try await registered()
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation(["anna", SoftwareTokens.pin]))
        try await agent.refresh("anna")
        #expect(
            await agent.record.people["anna"]?.session?.refreshToken == Secret("r2"))
    }

    @Test("Without a module for cards the person is told so")
    func noReader() async throws {
        let (agent, _) = try await setting.registered(TestProfile(token: "t", method: "SmartCard"))
        await #expect(throws: AgentRefusal.noCardReader) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation(["anna"]))
        }
    }
}
