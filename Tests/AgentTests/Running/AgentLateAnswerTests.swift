import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing

/// Responses to requests from before the device, or a person on it, registered again:
/// `docs/protocols/agent.md` has the same, for every order of events.
@Suite struct AgentLateAnswerTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(
        configuration: PlayedProvider.configuration, hasKeyService: true)

    enum Way: String, CaseIterable {
        case signIn, admission
    }

    private func signedIn(
        unlockKey lifetime: TimeSpan? = nil
    ) async throws -> (Agent, PlayedProvider) {
        var profile = TestProfile(token: "t", frequency: 604_800, grace: 7)
        profile.loginPolicy = ["RequireAuthentication", "AllowOfflineGracePeriod"]
        let (agent, provider) = try await setting.registered(profile, serving: served)
        provider.certify(for: lifetime)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider)
    }

    private func login(_ way: Way, _ agent: Agent) async throws {
        switch way {
        case .signIn:
            await #expect(throws: AgentRefusal.self) {
                try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
            }
        case .admission:
            let answer = try await agent.admit(
                AdmissionRequest(.login, password: Secret(PlayedProvider.password), local: .right),
                of: "anna")
            #expect(answer == .refused(.providerNeeded))
        }
    }

    /// The machine learns that it was revoked, and has registered again when this returns: with the same key,
    /// which its extension still had.
    private static func revoke(
        _ agent: Agent, _ provider: PlayedProvider, _ served: ScriptedExtension
    ) async throws {
        provider.forget()
        await #expect(throws: AgentRefusal.self) { try await agent.refresh("anna") }
        provider.forget(false)
        try await eventually("it has registered again") {
            let isRepaired = served.calls.contains {
                $0 == .device([.registrationSharedDeviceKeys, .registrationRepair])
            }
            let phase = await agent.record.registrations.people["anna"]?.phase
            return isRepaired && phase == .signingIn ? true : nil
        }
    }

    private func session(_ agent: Agent) async -> SignInSession? {
        await agent.record.people["anna"]?.session
    }

    // MARK: Logins

    @Test(
        "A login response from before the device was revoked gives no sign-in and no admission",
        arguments: Way.allCases)
    func revoked(way: Way) async throws {
        let (agent, provider) = try await signedIn()
        provider.meanwhile("/token") { [served] in
            try await Self.revoke(agent, provider, served)
        }
        try await login(way, agent)
        #expect(await session(agent) == nil)
        #expect(await agent.record.registrations.people["anna"]?.phase == .signingIn)
    }

    @Test(
        "A login response for the previous username does not sign in that person",
        arguments: Way.allCases)
    func renamed(way: Way) async throws {
        let (agent, provider) = try await signedIn()
        provider.meanwhile("/token") { [served] in
            served.next { try await $0.saveLoginUserName("bea@example.com") }
            // The person types nothing and signs in later.
            if way == .admission {
                await #expect(throws: (any Error).self) {
                    try await agent.registerPerson("anna", repair: true, ScriptedConversation())
                }
            } else {
                await agent.handle(.needsRepair(.person("anna")))
                try await eventually("they have registered again") {
                    let record = await agent.record
                    return record.people["anna"]?.identity == nil
                        && record.registrations.people["anna"]?.phase == .signingIn ? true : nil
                }
            }
        }
        try await login(way, agent)
        #expect(await session(agent) == nil)
        #expect(await agent.record.people["anna"]?.identity == nil)
    }

    @Test(
        "A late refusal of the previous registration signs no person out",
        arguments: Way.allCases)
    func unknown(way: Way) async throws {
        let (agent, provider) = try await signedIn()
        let after = Mutex<SignInSession?>(nil)
        provider.forget()
        provider.meanwhile("/token") { [served] in
            try await Self.revoke(agent, provider, served)
            if way == .signIn {
                // The person has one conversation, so that the other request is an admission.
                _ = try await agent.admit(
                    AdmissionRequest(.login, password: Secret(PlayedProvider.password)), of: "anna")
            } else {
                try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
            }
            let session = await agent.record.people["anna"]?.session
            after.withLock { $0 = session }
        }
        try await login(way, agent)
        #expect(after.withLock { $0 } != nil)
        #expect(await session(agent) == after.withLock { $0 })
        #expect(served.calls.count { if case .device = $0 { true } else { false } } == 2)
    }

    // MARK: Renewals and unlock keys

    @Test(
        "An answer to a renewal by shared keys is nothing to keys of the person, whatever it says",
        arguments: [true, false])
    func migrated(isKnown: Bool) async throws {
        let (agent, provider) = try await signedIn()
        let before = await session(agent)
        provider.forget(!isKnown)
        provider.meanwhile { [setting] in
            try setting.install(TestProfile(token: "t", shared: false, frequency: 604_800))
            await agent.reload()
            try await eventually("the person's keys are registered") {
                await agent.record.registrations.people["anna"]?.phase == .signingIn ? true : nil
            }
        }
        await #expect(throws: AgentRefusal.self) { try await agent.refresh("anna") }
        #expect(await session(agent) == before)
        #expect(await agent.record.registrations.devices[.person("anna")]?.phase == .registered)
        #expect(
            !served.calls.contains {
                if case .device(let options) = $0 {
                    options.contains(.registrationRepair)
                } else {
                    false
                }
            })
    }

    @Test("An unlock key issued before the device was revoked is not saved")
    func unlockKey() async throws {
        let (agent, provider) = try await signedIn(unlockKey: .days(2))
        let first = try #require(await agent.record.people["anna"]?.unlock)
        setting.clock.advance(by: .days(3))
        provider.meanwhile("/key") { [served] in
            try await Self.revoke(agent, provider, served)
        }
        // It has expired, so that another is requested.
        await #expect(throws: AgentRefusal.noUnlockKey) {
            try await agent.seal(Secret("x"), of: "anna")
        }
        #expect(provider.requests.count { $0 == "/key" } == 2)
        #expect(await agent.record.people["anna"]?.unlock == first)
    }

    // MARK: A machine that is to leave

    @Test("A late login response does not cancel the unregistration of the device")
    func loginBeforeLeaving() async throws {
        let (agent, provider) = try await signedIn()
        served.leave(.failure(.unreachable("the answer is lost")))
        // On its way for longer than such messages live, and good all the same.
        provider.say(["exp": .integer((setting.clock.now + .hours(1)).seconds)])
        provider.meanwhile("/token") { [setting] in
            await #expect(throws: ProviderError.self) {
                try await agent.unregisterDevice(of: "anna", localOnly: false)
            }
            setting.clock.advance(by: .minutes(7))
        }
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        try await expectLeft(agent, provider)
    }

    @Test("Nor does one while the provider is being told")
    func loginWhileLeaving() async throws {
        let (agent, provider) = try await signedIn()
        served.leave(.failure(.unreachable("the answer is lost")))
        served.whileLeaving { [setting] in
            setting.clock.advance(by: .minutes(7))
            await #expect(throws: Never.self) {
                try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
            }
        }
        await #expect(throws: ProviderError.self) {
            try await agent.unregisterDevice(of: "anna", localOnly: false)
        }
        try await expectLeft(agent, provider)
    }

    @Test("Nor does one after that, while the message may still be on its way")
    func loginBeforeMessage() async throws {
        let (agent, provider) = try await signedIn()
        served.leave(.failure(.unreachable("it is held somewhere")))
        await #expect(throws: ProviderError.self) {
            try await agent.unregisterDevice(of: "anna", localOnly: false)
        }
        setting.clock.advance(by: .minutes(5))
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        try await expectLeft(agent, provider)
    }

    /// The provider had heard of it: the machine has left, and does not register again by itself.
    private func expectLeft(_ agent: Agent, _ provider: PlayedProvider) async throws {
        #expect(await agent.record.devices[.everyone]?.leavingSince != nil)
        provider.forget()
        served.leave(.success(true))
        await #expect(throws: AgentRefusal.self) { try await agent.refresh("anna") }
        #expect(await agent.record.registrations.devices[.everyone]?.phase == .waiting)
        #expect(await agent.record.devices.isEmpty)
    }

    // MARK: Two who want a renewal

    @Test("A second renewal waits for the first one, and gets its result")
    func secondRenewal() async throws {
        let (agent, provider) = try await signedIn()
        provider.answer(503)
        let second = Shared<Task<AgentRefusal?, Never>?>(nil)
        let isOver = Shared(false)
        provider.meanwhile {
            // The call waits in the agent before this task continues.
            let task = Task.immediate { () -> AgentRefusal? in
                defer { isOver.withLock { $0 = true } }
                do { try await agent.refresh("anna") } catch { return error as? AgentRefusal }
                return nil
            }
            second.withLock { $0 = task }
            // A request that does not wait has finished by then.
            for _ in 0..<2000 where !isOver.withLock({ $0 }) { await Task.yield() }
        }
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.refresh("anna")
        }
        let task = try #require(second.withLock { $0 })
        #expect(await task.value?.code == "provider_failed")
    }

    @Test("What the first one brought is enough for the second")
    func sharedRenewal() async throws {
        let (agent, provider) = try await signedIn()
        let second = Shared<Task<String, any Error>?>(nil)
        provider.meanwhile {
            // The call waits in the agent before this task continues.
            let task = Task.immediate {
                try await agent.refresh("anna")
                return try await agent.idToken(of: "anna").session.refreshToken.revealText()
            }
            second.withLock { $0 = task }
            for _ in 0..<2000 { await Task.yield() }
        }
        try await agent.refresh("anna")
        let task = try #require(second.withLock { $0 })
        #expect(try await task.value == "r2")
        #expect(provider.requests.filter { $0 == "/refresh" }.count == 1)
    }
}
