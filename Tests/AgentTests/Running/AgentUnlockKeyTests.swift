import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Crypto
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// Certificates of unlock keys, which end.
@Suite struct AgentUnlockKeyTests {
    private let setting = SignInSetting()

    private func signedIn(_ days: Int64) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800))
        provider.certify(for: .days(days))
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider)
    }

    /// Time passes, and Anna signs in.
    private func pass(_ span: TimeSpan, _ agent: Agent) async throws {
        setting.clock.advance(by: span)
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        await agent.woke()
    }

    private func certificate(_ agent: Agent) async -> [UInt8]? {
        await agent.record.people["anna"]?.unlock?.certificate
    }

    @Test("With a third of its time to go its successor is asked for, and not before")
    func renewed() async throws {
        let (agent, _) = try await signedIn(90)
        let first = await certificate(agent)
        try await pass(.days(59), agent)
        #expect(await certificate(agent) == first)
        try await pass(.days(2), agent)
        let second = await certificate(agent)
        #expect(second != first && second != nil)
        await agent.woke()
        #expect(await certificate(agent) == second)
    }

    @Test("What was sealed before its successor came opens as before")
    func old() async throws {
        let (agent, _) = try await signedIn(90)
        let sealed = try await agent.seal(Secret("x"), of: "anna")
        try await pass(.days(61), agent)
        #expect(try await agent.unseal(sealed, of: "anna") == Secret("x"))
    }

    @Test(
        "Data is not sealed to an expired certificate: a new one is requested, or sealing is refused"
    )
    func over() async throws {
        let (agent, provider) = try await signedIn(2)
        setting.clock.advance(by: .days(3))
        provider.goAway()
        await #expect(throws: AgentRefusal.unlockKeyOver) {
            try await agent.seal(Secret("x"), of: "anna")
        }
        provider.goAway(false)
        let sealed = try await agent.seal(Secret("x"), of: "anna")
        #expect(try await agent.unseal(sealed, of: "anna") == Secret("x"))
    }

    @Test("A provider that gives the same one again is asked again a day later, not at once")
    func same() async throws {
        let (agent, provider) = try await signedIn(90)
        provider.certify(for: nil)
        let asked = { provider.requests.filter { $0 == "/key" }.count }
        try await pass(.days(61), agent)
        let count = asked()
        await agent.woke()
        #expect(asked() == count)
    }

    @Test("A person of whom only a name is known is reported as not registered")
    func notRegistered() async throws {
        let served = SignInSetting.everybody
        let (agent, _) = try await setting.registered(TestProfile(token: "t"), serving: served)
        served.answer(user: [.failed])
        served.next { manager in try await manager.saveLoginUserName("anna@example.com") }
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        #expect(await agent.record.people["anna"] != nil)
        for person in ["anna", "bea"] {
            await #expect(throws: AgentRefusal.notRegistered) {
                try await agent.seal(Secret("x"), of: person)
            }
        }
    }

    @Test("The refusal says so if the profile does not allow unlock keys")
    func withoutKeyService() async throws {
        let (agent, _) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800),
            serving: ScriptedExtension(configuration: PlayedProvider.configuration))
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.seal(Secret("x"), of: "anna")
        }
        #expect(refusal?.code == "no_unlock_key")
        #expect(refusal?.description.contains("UseSharedDeviceKeys") == true)
    }

    @Test("Nothing is sealed to a key that the machine was given under another registration")
    func anotherRegistration() async throws {
        let (agent, _) = try await signedIn(90)
        #expect(await agent.status(of: "anna").people.first?.hasUnlockKey == true)
        try setting.install(TestProfile(token: "t", shared: false, frequency: 604_800))
        await agent.reload()
        await #expect(throws: AgentRefusal.noUnlockKey) {
            try await agent.seal(Secret("x"), of: "anna")
        }
        #expect(await agent.status(of: "anna").people.first?.hasUnlockKey == false)
    }
}
