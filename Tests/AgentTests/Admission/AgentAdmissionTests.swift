import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import Support
import Synchronization
import Testing

/// An agent that is asked whether people are let in, with a provider that comes and goes.
@Suite struct AgentAdmissionTests {
    private let setting = SignInSetting()
    private let password = Secret(PlayedProvider.password)

    private static func profile(
        _ words: [String] = ["RequireAuthentication", "AllowOfflineGracePeriod"]
    ) -> TestProfile {
        var profile = TestProfile(token: "t", grace: 2)
        profile.loginPolicy = words
        return profile
    }

    /// Anna is registered and signed in.
    private func signedIn(relay: Relay = Relay()) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(Self.profile(), relay: relay)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider)
    }

    private func asked(
        _ agent: Agent, _ password: String? = PlayedProvider.password,
        local: Admission.LocalPassword = .right, of person: String = "anna"
    ) async throws -> AdmissionResponse {
        try await agent.admit(
            AdmissionRequest(.login, password: password.map { Secret($0) }, local: local),
            of: person)
    }

    @Test("A password that the provider accepts admits the person and is a full login")
    func provider() async throws {
        let (agent, _) = try await signedIn()
        setting.clock.advance(by: .hours(30))
        #expect(try await asked(agent, local: .wrong) == .admitted(.provider, until: nil))
        #expect(await agent.record.people["anna"]?.session?.fullLoginAt == setting.clock.now)
        #expect(try await asked(agent, nil) == .passwordNeeded)
    }

    @Test("Offline the local password is accepted until the grace period expires, also asleep")
    func grace() async throws {
        let (agent, provider) = try await signedIn()
        let end = setting.clock.now + .days(2)
        provider.goAway()
        #expect(try await asked(agent) == .admitted(.offlineGrace, until: end))
        #expect(try await asked(agent, local: .unchecked) == .checkLocalPassword)
        #expect(try await asked(agent, local: .wrong) == .refused(.wrongPassword))
        // It slept: nothing has woken the agent in between.
        setting.clock.advance(by: .days(2))
        #expect(try await asked(agent) == .refused(.offlineGraceOver))
        provider.goAway(false)
        #expect(try await asked(agent) == .admitted(.provider, until: nil))
        provider.goAway()
        #expect(
            try await asked(agent) == .admitted(.offlineGrace, until: end + .days(2)))
    }

    @Test(
        "A wrong password while the provider is there: only it lets in again, after a restart too")
    func owed() async throws {
        let relay = Relay()
        let provider = try await {
            let (agent, provider) = try await signedIn(relay: relay)
            #expect(try await asked(agent, "wrong") == .refused(.wrongPassword))
            provider.goAway()
            #expect(try await asked(agent) == .refused(.loginOwed))
            #expect(await agent.status(of: "anna").people.first?.owesLogin == true)
            return provider
        }()
        let again = try await eventually("the lock is free") { try await setting.agent(relay) }
        #expect(try await asked(again) == .refused(.loginOwed))
        provider.goAway(false)
        #expect(try await asked(again) == .admitted(.provider, until: nil))
        provider.goAway()
        #expect(try await asked(again) != .refused(.loginOwed))
    }

    @Test("A provider that answers without a verdict is not away", arguments: [400, 403, 500, 503])
    func undecided(status: Int) async throws {
        let (agent, provider) = try await signedIn()
        provider.answer(status)
        #expect(try await asked(agent) == .refused(.providerNeeded))
        provider.answer(nil)
        provider.goAway()
        if case .admitted(.offlineGrace, _) = try await asked(agent) {
        } else {
            Issue.record("it owes nothing")
        }
    }

    @Test("Attack: a password of another person at the provider does not admit Anna")
    func anotherPerson() async throws {
        let (agent, provider) = try await signedIn()
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        #expect(try await asked(agent, local: .wrong) == .refused(.providerNeeded))
        #expect(await agent.record.people["anna"]?.session == before)
        #expect(await agent.status(of: "anna").people.first?.strangerAt != nil)
    }

    @Test("A clock that is set back opens nothing, nor what it closed, until the provider answers")
    func clock() async throws {
        let (agent, provider) = try await signedIn()
        provider.goAway()
        setting.clock.advance(by: .hours(47))
        _ = try await asked(agent)
        setting.clock.advance(by: .hours(-40))
        #expect(try await asked(agent) == .refused(.clockSetBack))
        provider.goAway(false)
        #expect(try await asked(agent) == .admitted(.provider, until: nil))
        provider.goAway()
        if case .admitted(.offlineGrace, _) = try await asked(agent) {
        } else {
            Issue.record("the provider has confirmed the clock")
        }
    }

    @Test("What is set back a little again and again opens nothing either")
    func smallSteps() async throws {
        var setting = setting
        let running = ManualRunningClock()
        setting.running = running
        let (agent, provider) = try await setting.registered(Self.profile())
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        provider.goAway()
        for _ in 0..<13 {
            // Four hours pass, and the clock shows none of them.
            running.advance(by: .seconds(4 * 3600))
            _ = try await asked(agent)
        }
        #expect(try await asked(agent) == .refused(.clockSetBack))
    }

    @Test("The registration grace period starts with the policy; another key does not extend it")
    func newcomers() async throws {
        var profile = Self.profile(["RequireAuthentication", "AllowAuthenticationGracePeriod"])
        profile.grace = nil
        profile.authenticationGrace = 3
        profile.exempt = ["operator"]
        let (agent, _) = try await setting.registered(profile)
        let end = setting.clock.now + .days(3)
        #expect(try await asked(agent, of: "bea") == .admitted(.authenticationGrace, until: end))
        setting.clock.advance(by: .days(2))
        profile.frequency = 9000
        try setting.install(profile)
        await agent.reload()
        #expect(try await asked(agent, of: "bea") == .admitted(.authenticationGrace, until: end))
        setting.clock.advance(by: .days(1))
        #expect(try await asked(agent, of: "bea") == .refused(.authenticationGraceOver))
        #expect(try await asked(agent, of: "operator") == .admitted(.localPassword, until: nil))
        // Another policy restarts the time, as in Apple's documentation.
        profile.loginPolicy.append("AllowOfflineGracePeriod")
        profile.grace = 1
        try setting.install(profile)
        await agent.reload()
        if case .admitted(.authenticationGrace, _) = try await asked(agent, of: "bea") {
        } else {
            Issue.record("the policy is new")
        }
    }

    @Test("A profile that cannot be read any more opens nothing: the last that could be holds")
    func halfWritten() async throws {
        let relay = Relay()
        do {
            let (agent, _) = try await setting.registered(
                Self.profile(["RequireAuthentication"]), relay: relay)
            #expect(try await asked(agent, of: "bea") == .refused(.registrationNeeded))
        }
        try setting.write(String(Self.profile().text.prefix(400)))
        let again = try await eventually("the lock is free") { try await setting.agent(relay) }
        #expect(try await asked(again, of: "bea") == .refused(.registrationNeeded))
        try setting.remove()
        await again.reload()
        #expect(try await asked(again, of: "bea") == .admitted(.localPassword, until: nil))
    }

    @Test("The status says for each place what opens it offline, and until when")
    func status() async throws {
        let (agent, _) = try await signedIn()
        let status = await agent.status(of: "anna")
        let login = try #require(status.people.first?.places.first { $0.place == .login })
        #expect(login.demand == .require && login.offline == .offlineGrace)
        #expect(login.offlineUntil == setting.clock.now + .days(2))
        #expect(AgentStatus(status.json) == status)
    }

    @Test("Requests and answers are the same after they were sent")
    func roundTrip() {
        let requests = [
            AdmissionRequest(.disk),
            AdmissionRequest(.unlock, password: password, local: .wrong, isPresent: true),
        ]
        for request in requests { #expect(AdmissionRequest(request.json) == request) }
        let answers: [AdmissionResponse] =
            AdmissionRefusal.allCases.map(AdmissionResponse.refused) + [
                .checkLocalPassword, .passwordNeeded, .admitted(.provider, until: nil),
                .admitted(.offlineGrace, until: Timestamp(seconds: 1_800_000_000)),
            ]
        for answer in answers { #expect(AdmissionResponse(answer.json) == answer) }
    }

    @Test(
        "What is no request is refused whole",
        arguments: [
            #"{}"#, #"{"place":"door"}"#, #"{"place":"login","local":"maybe"}"#,
            #"{"place":"login","password":7}"#, #"{"place":"login","password":"%%"}"#,
            #"{"place":"login","presence":"yes"}"#, #"[]"#,
        ])
    func malformed(_ text: String) throws {
        #expect(AdmissionRequest(try JSONParser.parse(Array(text.utf8), maximumBytes: 1000)) == nil)
    }
}

/// Runs when a test says so.
final class ManualRunningClock: BootTimeClock {
    private let time = Mutex(Duration.zero)

    var elapsed: Duration { time.withLock { $0 } }

    func advance(by span: Duration) { time.withLock { $0 += span } }
}
