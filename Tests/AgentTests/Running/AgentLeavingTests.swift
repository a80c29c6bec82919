import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Support
import Testing

/// Registrations that are taken back: first at the provider, then here, and never half.
@Suite struct AgentLeavingTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension()

    private func agent() async throws -> Agent {
        try setting.install(TestProfile(token: "t"))
        let agent = try await setting.agent(serving: served)
        _ = try await setting.device(of: agent)
        return agent
    }

    private func phase(_ agent: Agent) async -> DevicePhase? {
        await agent.record.registrations.devices[.everyone]?.phase
    }

    @Test(
        "Unregistering notifies the provider and deletes the keys; the device does not register again"
    )
    func device() async throws {
        let agent = try await agent()
        try await agent.unregisterDevice(of: "root", localOnly: false)
        #expect(served.calls.last == .leaving(nil))
        #expect(await agent.record.devices.isEmpty)
        #expect(await phase(agent) == .waiting)
        await agent.reload()
        await agent.woke()
        #expect(await phase(agent) == .waiting)
        await #expect(throws: AgentRefusal.deviceNotRegistered) {
            try await agent.unregisterDevice(of: "root", localOnly: false)
        }
    }

    @Test("While the provider cannot be told nothing changes, unless only here is asked for")
    func unreachable() async throws {
        let agent = try await agent()
        var record = await agent.record
        served.leave(.failure(.unreachable("it is away")))
        await #expect(throws: ProviderError.unreachable("it is away")) {
            try await agent.unregisterDevice(of: "root", localOnly: false)
        }
        // But that it may have heard of it.
        record.devices[.everyone]?.leavingSince = setting.clock.now
        #expect(await agent.record == record)
        try await agent.unregisterDevice(of: "root", localOnly: true)
        #expect(await agent.record.devices.isEmpty)
    }

    @Test("A machine that tries to register again and again is taken off here, by hand only")
    func retrying() async throws {
        served.answer(device: [.failed, .failed])
        try setting.install(TestProfile(token: "t"))
        let agent = try await setting.agent(serving: served)
        try await eventually("it will be tried again") {
            if case .retrying? = await phase(agent) { true } else { nil }
        }
        await #expect(throws: AgentRefusal.deviceNotRegistered) {
            try await agent.unregisterDevice(of: "root", localOnly: false)
        }
        try await agent.unregisterDevice(of: "root", localOnly: true)
        #expect(await phase(agent) == .waiting)
        #expect(await agent.record.devices.isEmpty)
        setting.clock.advance(by: .days(1))
        await agent.woke()
        #expect(await phase(agent) == .waiting)
        #expect(!served.calls.contains(.leaving(nil)))
        await #expect(throws: AgentRefusal.deviceNotRegistered) {
            try await agent.unregisterDevice(of: "root", localOnly: true)
        }
    }

    @Test("An extension that has no way to tell the provider is said to have none")
    func cannotTell() async throws {
        let agent = try await agent()
        served.leave(.success(false))
        await #expect(throws: AgentRefusal.cannotTell) {
            try await agent.unregisterDevice(of: "root", localOnly: false)
        }
        #expect(await phase(agent) == .registered)
        #expect(await agent.record.devices[.everyone]?.leavingSince == nil)
    }

    @Test("Who is not registered cannot leave")
    func stranger() async throws {
        let agent = try await agent()
        await #expect(throws: AgentRefusal.notRegistered) {
            try await agent.unregisterPerson("anna", localOnly: false)
        }
        #expect(!served.calls.contains(.leaving("anna")))
    }
}
