import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// An agent with an extension that registers all people, and a provider that signs people in.
@Suite struct AgentSignInTests {
    private let setting = SignInSetting()
    private var clock: ManualClock { setting.clock }

    private func signedIn(grace: Int? = nil) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(TestProfile(token: "t", grace: grace))
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation(["wrong", PlayedProvider.password]))
        return (agent, provider)
    }

    private func token(_ agent: Agent) async -> Secret? {
        await agent.record.people["anna"]?.session?.refreshToken
    }

    @Test("After a wrong password the right one signs in, and completes the registration")
    func first() async throws {
        let (agent, provider) = try await signedIn()
        #expect(await agent.record.registrations.people["anna"]?.phase == .registered)
        #expect(await token(agent) == Secret("r1"))
        #expect(provider.requests.filter { $0 == "/token" }.count == 2)
        #expect(try await agent.idToken(of: "anna").session.subject == "s1")
    }

    @Test("A name that the provider never accepted is asked for again, and no other name ever is")
    func slip() async throws {
        let served = SignInSetting.everybody
        let (agent, _) = try await setting.registered(TestProfile(token: "t"), serving: served)
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson(
                "anna", repair: false, ScriptedConversation(["wrong", "wrong", "wrong"]))
        }
        #expect(await agent.record.people["anna"]?.isNameDoubted == true)
        let count = served.registrations.count
        // Also by an agent that was started again.
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        #expect(
            served.registrations.dropFirst(count) == [
                .user(nil, [.registrationSharedDeviceKeys, .registrationRepair])
            ])
        #expect(await agent.record.people["anna"]?.isNameDoubted == false)
        // She is known now: a wrong password is a wrong password.
        await #expect(throws: (any Error).self) {
            try await agent.signIn("anna", ScriptedConversation(["wrong", "wrong", "wrong"]))
        }
        #expect(await agent.record.people["anna"]?.isNameDoubted == false)
    }

    @Test("Claims that an extension saved for a person are in their requests, also after a restart")
    func claims() async throws {
        let served = SignInSetting.everybody
        var user = UserLoginConfiguration(loginUserName: "anna@example.com")
        user.customLoginRequestClaims.body["tenant"] = "t1"
        user.customAssertionRequestClaims.header["hint"] = "h1"
        served.save(user)
        let relay = Relay()
        let provider = try await {
            let (agent, provider) = try await setting.registered(
                TestProfile(token: "t"), relay: relay, serving: served)
            try await agent.registerPerson(
                "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
            #expect(await agent.record.people["anna"]?.assertionClaims.header["hint"] == "h1")
            return provider
        }()
        #expect(provider.logins.last?["tenant"] == "t1")
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served)
        }
        #expect(await again.record.people["anna"]?.loginClaims == user.customLoginRequestClaims)
        let count = provider.logins.count
        try await again.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(provider.logins.count == count + 1)
        #expect(provider.logins.last?["tenant"] == "t1")
        #expect(
            await again.record.people["anna"]?.assertionClaims
                == user.customAssertionRequestClaims)
    }

    @Test("After four hours the clock renews the tokens, once, and keeps the new one")
    func renewal() async throws {
        let (agent, provider) = try await signedIn()
        clock.advance(by: .minutes(90))
        await agent.woke()
        #expect(!provider.requests.contains("/refresh"))
        // The profile wants a full login every two hours, before four have passed.
        try await agent.refresh("anna")
        #expect(await token(agent) == Secret("r2"))
        #expect(provider.requests.filter { $0 == "/refresh" }.count == 1)
    }

    @Test("When a full login is due, the person is not signed in and nothing is renewed")
    func frequency() async throws {
        let (agent, provider) = try await signedIn()
        clock.advance(by: .hours(3))
        await agent.woke()
        #expect(!provider.requests.contains("/refresh"))
        await #expect(throws: AgentRefusal.signedOut) { try await agent.idToken(of: "anna") }
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(try await agent.idToken(of: "anna").session.subject == "s1")
    }

    @Test("A token that the provider refuses is not kept: the person signs in again")
    func deadToken() async throws {
        let (agent, provider) = try await signedIn()
        provider.answer(401)
        await #expect(throws: AgentRefusal.signedOut) { try await agent.refresh("anna") }
        #expect(await token(agent) == nil)
        provider.answer(nil)
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(await token(agent) != nil)
    }

    @Test("A failing or unreachable provider does not invalidate a token")
    func away() async throws {
        let (agent, provider) = try await signedIn()
        provider.answer(503)
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.refresh("anna")
        }
        provider.answer(nil)
        provider.goAway()
        await #expect(throws: AgentRefusal("unreachable", "")) { try await agent.refresh("anna") }
        #expect(await token(agent) == Secret("r1"))
        #expect(await agent.status(of: "anna").people.first?.standing == "signed_in")
    }

    @Test("A refused renewal has a reason")
    func reasons() async throws {
        let (agent, provider) = try await signedIn()
        provider.answer(503)
        let busy = await refusal { try await agent.refresh("anna") }
        #expect(busy?.code == "provider_failed" && busy?.description.hasSuffix(": no") == true)
        provider.answer(nil)
        provider.goAway()
        let away = await refusal { try await agent.refresh("anna") }
        #expect(away?.code == "unreachable", "\(String(describing: away))")
    }

    @Test("A renewal that only a full login could bring says so")
    func needsPerson() async throws {
        let (agent, provider) = try await signedIn()
        clock.advance(by: .hours(3))
        let late = await refusal { try await agent.refresh("anna") }
        #expect(late?.code == "signed_out")
        #expect(!provider.requests.contains("/refresh"))
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        provider.answer(401)
        let dead = await refusal { try await agent.refresh("anna") }
        #expect(dead?.code == "signed_out")
        #expect(dead?.description.contains("gatehouse-agent sign-in") == true)
    }

    private func refusal(_ body: () async throws -> Void) async -> AgentRefusal? {
        do { try await body() } catch { return error as? AgentRefusal }
        return nil
    }

    @Test(
        "Offline, the grace period of the profile holds, and a clock that is set back adds nothing")
    func grace() async throws {
        let (agent, provider) = try await signedIn(grace: 2)
        provider.goAway()
        _ = try? await agent.refresh("anna")
        #expect(await agent.status(of: "anna").people.first?.standing == "grace")
        clock.advance(by: .days(3))
        _ = try? await agent.refresh("anna")
        #expect(await agent.status(of: "anna").people.first?.standing == "signed_out")
    }

    @Test(
        "The token of the login before goes along where the configuration wants it, and only there",
        arguments: [true, false])
    func previousToken(isWanted: Bool) async throws {
        var configuration = PlayedProvider.configuration
        configuration.includePreviousRefreshTokenInLoginRequest = isWanted
        configuration.previousRefreshTokenClaimName = "before"
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t"), serving: ScriptedExtension(configuration: configuration))
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        try await agent.refresh("anna")
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(
            provider.logins.map { $0["before"]?.string } == [nil, isWanted ? "r2" : nil])
    }

    @Test("Cancelling at the password leaves the person registered and signed out")
    func givenUp() async throws {
        let (agent, _) = try await signedIn()
        await #expect(throws: PresentationError.cancelled) {
            try await agent.signIn("anna", ScriptedConversation())
        }
        #expect(await agent.record.registrations.people["anna"]?.phase == .registered)
    }
}
