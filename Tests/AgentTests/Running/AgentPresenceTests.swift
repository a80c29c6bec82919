// SPDX-License-Identifier: Apache-2.0
import Agent
import CTAP
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing

/// People whose keys sign only when a security key is touched.
@Suite struct AgentPresenceTests {
    /// A security key in software, and whether whoever sits before it agrees.
    private struct Stick {
        let keys: PresenceKeys
        let agrees: Agreement

        final class Agreement: Sendable {
            private let state = Mutex((agrees: true, asked: 0))
            var asked: Int { state.withLock { $0.asked } }
            func refuse() { state.withLock { $0.agrees = false } }
            fileprivate func ask() -> GestureOutcome {
                state.withLock { state in
                    state.asked += 1
                    return state.agrees ? .approved : .denied
                }
            }
        }

        init() throws {
            let agrees = Agreement()
            self.agrees = agrees
            let random = SystemRandomSource()
            let key = try SoftwareAuthenticator(
                store: MemoryAuthenticatorStore(), gesture: AskingGesture { _ in agrees.ask() },
                clock: ManualClock(), random: random)
            keys = PresenceKeys(
                source: FixedAuthenticators([AuthenticatorInProcess(key, name: "stick")]),
                random: random)
        }
    }

    /// Types the PIN of the security key, and that of the key behind it, each where it is asked for.
    private final class Anna: AgentConversation {
        let hasBrowser = true
        private let pins: Mutex<[String]>
        private let asked = Mutex<[AgentQuestion]>([])
        private let told = Mutex<[AgentStep]>([])

        /// - Parameter pins: What she types as her own; the last again and again.
        init(_ pins: [String] = ["3141-59"]) { self.pins = Mutex(pins) }

        var questions: [AgentQuestion] { asked.withLock { $0 } }
        var steps: [AgentStep] { told.withLock { $0 } }

        func ask(_ question: AgentQuestion) async throws -> String {
            asked.withLock { $0.append(question) }
            guard case .secret(let text) = question else { throw PresentationError.cancelled }
            if text.contains("security key") { return "1357" }
            if text.hasPrefix("The same PIN"), isOfStick { return "1357" }
            return pins.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }

        /// Whether the question before the last was about the security key.
        private var isOfStick: Bool {
            guard case .secret(let text)? = questions.dropLast().last else { return false }
            return text.contains("security key")
        }

        func tell(_ step: AgentStep) async { told.withLock { $0.append(step) } }

        func end() async {
            let (stream, _) = AsyncStream<Void>.makeStream()
            for await _ in stream {}
        }
    }

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
        _ stick: Stick, _ profile: TestProfile = profile
    ) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served, securityKeys: stick.keys)
        registerNext(at: provider)
        try await agent.registerPerson("anna", repair: false, Anna())
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
        let stick = try Stick()
        let (agent, _) = try await registered(stick)
        #expect(await person(agent)?.standing == "signed_in")
        #expect(await person(agent)?.needsSecurityKey == true)
        // There is no PIN of the key's own, so there are no tries of it.
        #expect(await person(agent)?.pinTries == nil)
        let before = stick.agrees.asked
        let anna = Anna()
        try await agent.signIn("anna", anna)
        #expect(anna.questions == [.secret("PIN of the security key stick:")])
        #expect(anna.steps.contains(.touchKey))
        #expect(stick.agrees.asked > before)
    }

    @Test(
        "In a TPM, what the security key says is the key's authorisation",
        .enabled(if: KeyStoreTests.hasTPM, "needs swtpm"))
    func tpm() async throws {
        let tpm = try await SoftwareTPM()
        var test = self
        test.setting.keys = KeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        let (agent, _) = try await test.registered(try Stick())
        try await agent.signIn("anna", Anna())
        let key = try #require(await agent.record.people["anna"]?.key)
        let store = test.setting.keys
        await #expect(throws: PINError.incorrect) {
            try await store.sign([1], with: key, pin: Secret("guess"))
        }
    }

    @Test("Without a touch nothing is signed, whatever else somebody has")
    func noTouch() async throws {
        let stick = try Stick()
        let (agent, provider) = try await registered(stick)
        let before = logins(provider)
        stick.agrees.refuse()
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await agent.signIn("anna", Anna())
        }
        let key = try #require(await agent.record.people["anna"]?.key)
        let store = setting.keys
        await #expect(throws: PINError.needed) { try await store.sign([1], with: key) }
        await #expect(throws: PINError.incorrect) {
            try await store.sign([1], with: key, pin: Secret("guess"))
        }
        #expect(logins(provider) == before)
    }

    @Test("Another security key is not the one, with its PIN and a touch or without")
    func otherKey() async throws {
        let before = try await {
            let (_, provider) = try await registered(try Stick())
            return (provider, logins(provider))
        }()
        let other = try Stick()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served, securityKeys: other.keys)
        }
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await again.signIn("anna", Anna())
        }
        #expect(logins(before.0) == before.1)
    }

    @Test("Where no security key can be asked no key is made, and no weaker one in its place")
    func nobodyToAsk() async throws {
        let (agent, provider) = try await setting.registered(
            Self.profile, relay: relay, serving: served)
        registerNext(at: provider)
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, Anna())
        }
        #expect(await agent.record.people["anna"]?.key == nil)
    }

    @Test("A refused touch makes no key")
    func refusedAtFirst() async throws {
        let stick = try Stick()
        stick.agrees.refuse()
        let (agent, provider) = try await setting.registered(
            Self.profile, relay: relay, serving: served, securityKeys: stick.keys)
        registerNext(at: provider)
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, Anna())
        }
        #expect(await agent.record.people["anna"]?.key == nil)
    }

    @Test("Tokens are renewed without a touch; a full login is not begun while nobody is there")
    func renewal() async throws {
        let stick = try Stick()
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

    @Test("A key from before a touch was asked for signs no more: another is registered")
    func demanded() async throws {
        let stick = try Stick()
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
        try await agent.registerPerson("anna", repair: false, Anna())
        #expect(await agent.record.people["anna"]?.key != old)
        #expect(await person(agent)?.needsSecurityKey == true)
    }

    @Test("With a PIN besides, both are needed, and a wrong PIN is counted")
    func both() async throws {
        var profile = Self.profile
        profile.pin = 6
        let stick = try Stick()
        let (agent, _) = try await registered(stick, profile)
        #expect(await person(agent)?.pinTries == 8)
        let anna = Anna(["000001", "3141-59"])
        try await agent.signIn("anna", anna)
        #expect(anna.steps.contains(.wrongKeyPIN))
        #expect(anna.questions.contains(.secret("PIN of your key:")))
        #expect(await person(agent)?.pinTries == 8)
        stick.agrees.refuse()
        await #expect(throws: AgentRefusal("security_key_failed", "")) {
            try await agent.signIn("anna", Anna())
        }
    }

    @Test("It is still asked for after the agent has started again")
    func restart() async throws {
        let stick = try Stick()
        try await { _ = try await registered(stick) }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served, securityKeys: stick.keys)
        }
        #expect(await person(again)?.needsSecurityKey == true)
        let before = stick.agrees.asked
        try await again.signIn("anna", Anna())
        #expect(stick.agrees.asked > before)
    }

    @Test(
        "A profile that asks for a presence that nobody knows does not count, and says why",
        arguments: ["touch_id", "", "security-key"])
    func unknown(word: String) async throws {
        var profile = Self.profile
        profile.presence = word
        try setting.install(profile)
        let agent = try await setting.agent(serving: served)
        #expect(served.calls == [])
        let problem = await agent.status(of: nil).problems.first
        #expect(problem?.contains("it wants the presence \(word)") == true)
    }
}
