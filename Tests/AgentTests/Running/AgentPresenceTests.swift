import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// People whose keys sign only when a security key is touched.
@Suite struct AgentPresenceTests {
    private var setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)
    private let relay = Relay()

    private static var profile: TestProfile {
        var profile = TestProfile(token: "t", method: "UserSecureEnclaveKey")
        profile.presence = "security_key"
        return profile
    }

    private func registerNext(at provider: PlayedProvider) {
        served.answer(user: [.userInterfaceRequired, .success])
        served.next { _ in }
        served.next { manager in
            let key = try await manager.userKey()
            _ = try await manager.sign([1], with: key)
            provider.accept(.secureEnclave(key.publicKey))
        }
    }

    private func registered(
        _ stick: SecurityStick, _ profile: TestProfile = profile
    ) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served, securityKeys: stick.keys)
        registerNext(at: provider)
        try await agent.registerPerson("anna", repair: false, AnnaAtStick())
        return (agent, provider)
    }

    private func person(_ agent: Agent) async -> AgentStatus.Person? {
        await agent.status(of: "anna").people.first
    }

    private func logins(_ provider: PlayedProvider) -> Int {
        provider.requests.filter { $0 == "/token" }.count
    }

    @Test("A key is made with a touch, and each full login asks for one")
    func signsIn() async throws {
        let stick = try SecurityStick()
        let (agent, _) = try await registered(stick)
        #expect(await person(agent)?.standing == "signed_in")
        #expect(await person(agent)?.needsSecurityKey == true)
        // There is no PIN of the key's own, so there are no tries of it.
        #expect(await person(agent)?.pinTries == nil)
        let before = stick.agrees.asked
        let anna = AnnaAtStick()
        try await agent.signIn("anna", anna)
        #expect(anna.questions == [.secret("PIN of the security key stick:")])
        #expect(anna.steps.contains(.touchKey))
        #expect(stick.agrees.asked > before)
    }

    @Test(
        "In a TPM, what the security key says is the key's authorisation",
        .enabled(if: AgentKeyStoreTests.hasTPM, "needs swtpm"))
    func tpm() async throws {
        let tpm = try await SoftwareTPM()
        var test = self
        test.setting.keys = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        let (agent, _) = try await test.registered(try SecurityStick())
        try await agent.signIn("anna", AnnaAtStick())
        let key = try #require(await agent.record.people["anna"]?.key)
        let store = test.setting.keys
        await #expect(throws: KeyPINError.incorrect) {
            try await store.sign([1], with: key, pin: Secret("guess"))
        }
    }

    @Test("Without a touch nothing is signed")
    func noTouch() async throws {
        let stick = try SecurityStick()
        let (agent, provider) = try await registered(stick)
        let before = logins(provider)
        stick.agrees.refuse()
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await agent.signIn("anna", AnnaAtStick())
        }
        let key = try #require(await agent.record.people["anna"]?.key)
        let store = setting.keys
        await #expect(throws: KeyPINError.needed) { try await store.sign([1], with: key) }
        await #expect(throws: KeyPINError.incorrect) {
            try await store.sign([1], with: key, pin: Secret("guess"))
        }
        #expect(logins(provider) == before)
    }

    @Test("Another security key is not the one, with its PIN and a touch or without")
    func otherKey() async throws {
        let before = try await {
            let (_, provider) = try await registered(try SecurityStick())
            return (provider, logins(provider))
        }()
        let other = try SecurityStick()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served, securityKeys: other.keys)
        }
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await again.signIn("anna", AnnaAtStick())
        }
        #expect(logins(before.0) == before.1)
    }

    @Test("Where no security key can be asked no key is made, and no weaker one in its place")
    func nobodyToAsk() async throws {
        let (agent, provider) = try await setting.registered(
            Self.profile, relay: relay, serving: served)
        registerNext(at: provider)
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, AnnaAtStick())
        }
        #expect(await agent.record.people["anna"]?.key == nil)
    }

    @Test("Disconnecting before the touch cancels the wait of the security key")
    func hangUp() async throws {
        let stick = try SecurityStick()
        let (agent, provider) = try await registered(stick)
        let before = logins(provider)
        stick.agrees.hold()
        let anna = AnnaAtStick()
        let signIn = Task { try await agent.signIn("anna", anna) }
        try await eventually("the security key waits") { stick.agrees.isHeld ? true : nil }
        anna.leave()
        await #expect(throws: PresentationError.cancelled) { try await signIn.value }
        #expect(stick.agrees.wasTold)
        #expect(logins(provider) == before)
        // The next one is asked at once.
        stick.agrees.agree()
        try await agent.signIn("anna", AnnaAtStick())
    }

    @Test("A touch without a PIN is enough if the profile requires only a touch")
    func touchAlone() async throws {
        var profile = Self.profile
        profile.presence = "security_key_touch"
        let stick = try SecurityStick()
        let (agent, provider) = try await registered(stick, profile)
        #expect(await person(agent)?.needsSecurityKey == true)
        let anna = AnnaAtStick()
        try await agent.signIn("anna", anna)
        #expect(anna.questions.isEmpty)
        #expect(anna.steps.contains(.touchKey))
        let before = logins(provider)
        stick.agrees.refuse()
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await agent.signIn("anna", AnnaAtStick())
        }
        #expect(logins(provider) == before)
    }

    @Test("A touch and a PIN of the key's own: both are needed, none of the security key's")
    func touchAndPIN() async throws {
        var profile = Self.profile
        profile.presence = "security_key_touch"
        profile.pin = 6
        let stick = try SecurityStick()
        let (agent, _) = try await registered(stick, profile)
        #expect(await person(agent)?.pinTries == 8)
        let anna = AnnaAtStick(["000001", "3141-59"])
        try await agent.signIn("anna", anna)
        #expect(anna.steps.contains(.wrongKeyPIN) && anna.steps.contains(.touchKey))
        #expect(!anna.questions.contains { "\($0)".contains("security key") })
    }

    @Test(
        "A key that a touch alone opens does not count once more is asked for, and the reverse does"
    )
    func touchIsLess() async throws {
        var touch = Self.profile
        touch.presence = "security_key_touch"
        let stick = try SecurityStick()
        let (agent, _) = try await registered(stick, touch)
        served.answer(user: [.userInterfaceRequired])
        try setting.install(Self.profile)
        await agent.reload()
        try await eventually("anna has to register again") {
            await person(agent)?.phase == "waiting" ? true : nil
        }
        await #expect(throws: (any Error).self) { try await agent.signIn("anna", AnnaAtStick()) }
        let strong = try SecurityStick()
        let other = Self()
        let (second, _) = try await other.registered(strong)
        let key = try #require(await second.record.people["anna"]?.key)
        try other.setting.install(touch)
        await second.reload()
        #expect(await second.record.people["anna"]?.key == key)
        #expect(await other.person(second)?.phase == "registered")
        let anna = AnnaAtStick()
        try await second.signIn("anna", anna)
        #expect(anna.questions == [.secret("PIN of the security key stick:")])
    }

    @Test("A refused touch makes no key")
    func refusedAtFirst() async throws {
        let stick = try SecurityStick()
        stick.agrees.refuse()
        let (agent, provider) = try await setting.registered(
            Self.profile, relay: relay, serving: served, securityKeys: stick.keys)
        registerNext(at: provider)
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, AnnaAtStick())
        }
        #expect(await agent.record.people["anna"]?.key == nil)
    }

    @Test("Tokens are renewed without a touch; a full login does not start without a person")
    func renewal() async throws {
        let stick = try SecurityStick()
        let (agent, provider) = try await registered(stick)
        let before = stick.agrees.asked
        try await agent.refresh("anna")
        setting.clock.advance(by: .hours(3))
        let asked = provider.requests.count
        await agent.woke()
        #expect(provider.requests.count == asked)
        #expect(await person(agent)?.next == "sign_in")
        #expect(stick.agrees.asked == before)
    }

    @Test("A key from before the touch was required is replaced")
    func demanded() async throws {
        let stick = try SecurityStick()
        var weaker = Self.profile
        weaker.presence = nil
        let (agent, provider) = try await registered(stick, weaker)
        let old = try #require(await agent.record.people["anna"]?.key)
        served.answer(user: [.userInterfaceRequired])
        try setting.install(Self.profile)
        let before = logins(provider)
        await agent.reload()
        setting.clock.advance(by: .hours(5))
        await agent.woke()
        #expect(logins(provider) == before)
        try await eventually("anna has to register") {
            await person(agent)?.phase == "waiting" ? true : nil
        }
        registerNext(at: provider)
        try await agent.registerPerson("anna", repair: false, AnnaAtStick())
        #expect(await agent.record.people["anna"]?.key != old)
        #expect(await person(agent)?.needsSecurityKey == true)
    }

    @Test("With a PIN besides, both are needed, and a wrong PIN is counted")
    func both() async throws {
        var profile = Self.profile
        profile.pin = 6
        let stick = try SecurityStick()
        let (agent, _) = try await registered(stick, profile)
        #expect(await person(agent)?.pinTries == 8)
        let anna = AnnaAtStick(["000001", "3141-59"])
        try await agent.signIn("anna", anna)
        #expect(anna.steps.contains(.wrongKeyPIN))
        #expect(anna.questions.contains(.secret("PIN of your key:")))
        #expect(await person(agent)?.pinTries == 8)
        stick.agrees.refuse()
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await agent.signIn("anna", AnnaAtStick())
        }
    }

    @Test("It is still asked for after the agent has started again")
    func restart() async throws {
        let stick = try SecurityStick()
        try await { _ = try await registered(stick) }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served, securityKeys: stick.keys)
        }
        #expect(await person(again)?.needsSecurityKey == true)
        let before = stick.agrees.asked
        try await again.signIn("anna", AnnaAtStick())
        #expect(stick.agrees.asked > before)
    }

    @Test(
        "A profile with an unknown user presence is ignored, and the status says why",
        arguments: ["touch_id", "", "security-key"])
    func unknown(word: String) async throws {
        var profile = Self.profile
        profile.presence = word
        try setting.install(profile)
        let agent = try await setting.agent(serving: served)
        #expect(served.calls == [])
        let problem = await agent.status(of: nil).problems.first
        #expect(problem?.contains("it requires the unknown user presence \(word)") == true)
    }
}
