import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

/// An account belongs to the person that the provider named first (OpenID Connect Core section
/// 12.2), with every sign-in method.
@Suite struct AgentPersonTests {
    private let setting = SignInSetting()

    private func signedIn(
        _ profile: TestProfile = TestProfile(token: "t"), relay: Relay = Relay(),
        serving served: ScriptedExtension = SignInSetting.everybody
    ) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider)
    }

    private func signIn(_ agent: Agent) async throws {
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
    }

    // MARK: Refresh

    @Test("Attack: a refresh response for another person is refused, and the session is kept")
    func refresh() async throws {
        let (agent, provider) = try await signedIn()
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) { try await agent.refresh("anna") }
        try await expectKept(agent, before)
        // The response for the person is accepted again, and the status does not mention the other
        // one.
        provider.say([:])
        try await agent.refresh("anna")
        #expect(await agent.record.people["anna"]?.session?.refreshToken == Secret("r2"))
        #expect(await agent.status(of: "anna").people.first?.strangerAt == nil)
    }

    @Test("A scheduled renewal with a response for another person waits for the next one")
    func renewal() async throws {
        let (agent, provider) = try await signedIn(TestProfile(token: "t", frequency: 64_800))
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        setting.clock.advance(by: .hours(4))
        await agent.woke()
        #expect(provider.requests.contains("/refresh"))
        try await expectKept(agent, before)
        #expect(await agent.nextTry == setting.clock.now + SignInSchedule.retryDelay)
    }

    @Test("Subjects are compared by bytes: another case, normal form or type is another person")
    func bytes() async throws {
        let (agent, provider) = try await setting.registered(TestProfile(token: "t"))
        provider.say(["sub": "j\u{F6}rg"])
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        for other: JSONValue in ["J\u{F6}rg", "jo\u{308}rg", "j\u{F6}rg ", 1, ["j\u{F6}rg"]] {
            provider.say(["sub": other])
            await #expect(throws: AgentRefusal.anotherPerson) {
                try await agent.refresh("anna")
            }
        }
        provider.say(["sub": nil])
        await #expect(throws: AgentRefusal.anotherPerson) { try await agent.refresh("anna") }
    }

    @Test("A refresh that says the person was seen since is refused (auth_time)")
    func authenticationTime() async throws {
        let (agent, provider) = try await setting.registered(TestProfile(token: "t"))
        let seen = setting.clock.now.seconds
        provider.say(["auth_time": .integer(seen)])
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let before = await agent.record.people["anna"]?.session
        setting.clock.advance(by: .minutes(30))
        provider.say(["auth_time": .integer(setting.clock.now.seconds)])
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.refresh("anna")
        }
        #expect(await agent.record.people["anna"]?.session == before)
        // As a string it is the same time, and it may be left out.
        provider.say(["auth_time": .string("\(seen)")])
        try await agent.refresh("anna")
        provider.say([:])
        try await agent.refresh("anna")
        provider.say(["auth_time": .integer(setting.clock.now.seconds)])
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.refresh("anna")
        }
        // A full login is another one.
        try await signIn(agent)
    }

    // MARK: Login

    @Test("Attack: a password of another person gives no sign-in, and is prompted for once")
    func password() async throws {
        let (agent, provider) = try await signedIn()
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        let person = ScriptedConversation([PlayedProvider.password, "another"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await agent.signIn("anna", person)
        }
        #expect(person.questions.count == 1 && !person.steps.contains(.wrongPassword))
        try await expectKept(agent, before)
    }

    @Test("Attack: a key that is now of another person gives no sign-in, and is not replaced")
    func key() async throws {
        let served = ScriptedExtension(configuration: PlayedProvider.configuration)
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", method: "UserSecureEnclaveKey"), serving: served)
        served.next { manager in
            provider.accept(.secureEnclave(try await manager.userKey().publicKey))
        }
        try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        let before = await agent.record.people["anna"]?.session
        let calls = served.registrations
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) { try await agent.refresh("anna") }
        try await expectKept(agent, before)
        #expect(served.registrations == calls)
    }

    @Test("Attack: a signed-out person cannot become another person, also after a restart")
    func signedOut() async throws {
        let relay = Relay()
        let provider = try await {
            let (agent, provider) = try await signedIn(relay: relay)
            provider.answer(401)
            await #expect(throws: AgentRefusal.signedOut) { try await agent.refresh("anna") }
            provider.answer(nil)
            return provider
        }()
        let again = try await eventually("the lock is free") { try await setting.agent(relay) }
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) { try await signIn(again) }
        #expect(await again.record.people["anna"]?.session == nil)
        provider.say([:])
        try await signIn(again)
        #expect(try await again.idToken(of: "anna").session.subject == "s1")
    }

    @Test("A first response without a subject is refused")
    func nobody() async throws {
        let (agent, provider) = try await setting.registered(TestProfile(token: "t"))
        for none: JSONValue? in [nil, "", 7] {
            provider.say(["sub": none])
            await #expect(throws: AgentRefusal("provider_failed", "")) {
                try await agent.registerPerson(
                    "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
            }
        }
        #expect(await agent.record.people["anna"]?.session == nil)
    }

    @Test("Where another claim names people, it is held to as sub is")
    func otherClaim() async throws {
        var configuration = PlayedProvider.configuration
        configuration.uniqueIdentifierClaimName = "upn"
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t"), serving: ScriptedExtension(configuration: configuration))
        provider.say(["upn": "anna@example.com"])
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let wrong: [[String: JSONValue?]] = [
            ["upn": "bea@example.com"], ["upn": nil], ["upn": "anna@example.com", "sub": "s2"],
        ]
        for changes in wrong {
            provider.say(changes)
            await #expect(throws: AgentRefusal.anotherPerson, "\(changes)") {
                try await agent.refresh("anna")
            }
        }
        provider.say(["upn": "anna@example.com"])
        try await agent.refresh("anna")
    }
}

/// Expects the state after a response for another person: all as before, and the status reports it.
func expectKept(
    _ agent: Agent, _ before: SignInSession?, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    #expect(before != nil, sourceLocation: sourceLocation)
    #expect(await agent.record.people["anna"]?.session == before, sourceLocation: sourceLocation)
    let status = await agent.status(of: "anna")
    let person = try #require(status.people.first, sourceLocation: sourceLocation)
    #expect(person.standing == "signed_in", sourceLocation: sourceLocation)
    #expect(person.strangerAt != nil, sourceLocation: sourceLocation)
    #expect(AgentStatus(status.json) == status, sourceLocation: sourceLocation)
}

extension Agent {
    /// When the provider is asked about Anna next.
    fileprivate var nextTry: Timestamp? { status(of: "anna").people.first?.nextAt }
}
