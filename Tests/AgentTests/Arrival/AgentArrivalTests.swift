// SPDX-License-Identifier: Apache-2.0
import Agent
import Primitives
import SingleSignOn
import Support
import Testing

/// The advice for a person who starts a session on a device with a running agent.
@Suite struct AgentArrivalTests {
    private let setting = SignInSetting()

    private func wish(_ agent: Agent) async -> SessionStartAdvice.RequestKind? {
        await agent.arrived("anna")
        return SessionStartAdvice(await agent.status(of: "anna"), account: "anna")?.wish
    }

    @Test("From the first day to the end of a sign-in, and to a registration that has ended")
    func story() async throws {
        let served = SignInSetting.everybody
        let (agent, _) = try await setting.registered(
            TestProfile(token: "t", frequency: 6 * 3600), serving: served)
        #expect(await wish(agent) == .register)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        #expect(await wish(agent) == nil)
        setting.clock.advance(by: .hours(5))
        await agent.woke()
        #expect(await wish(agent) == .renew)
        setting.clock.advance(by: .hours(2))
        #expect(await wish(agent) == .signIn)
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(await wish(agent) == nil)
        served.answer(user: [.userInterfaceRequired])
        await agent.handle(.needsRepair(.person("anna")))
        try await eventually("the registration is to be made again") {
            await agent.record.registrations.people["anna"]?.phase == .waiting ? true : nil
        }
        #expect(await wish(agent) == .repair)
    }

    @Test("Exempt accounts get no request")
    func exempt() async throws {
        var profile = TestProfile(token: "t")
        profile.exempt = ["root"]
        let (agent, _) = try await setting.registered(profile)
        await agent.arrived("root")
        #expect(SessionStartAdvice(await agent.status(of: "root"), account: "root") == nil)
    }
}
