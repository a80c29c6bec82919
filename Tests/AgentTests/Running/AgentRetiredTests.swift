// SPDX-License-Identifier: Apache-2.0
import Agent
import PlatformSSO
import Primitives
import Support
import Testing

/// Machines that a migration to shared keys leaves behind at the provider are taken off it.
@Suite struct AgentRetiredTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension()

    /// One with keys of Anna's and of Bea's.
    private func migrating() async throws -> Agent {
        try setting.install(TestProfile(token: "t", shared: false))
        let agent = try await setting.agent(serving: served)
        for person in ["anna", "bea"] {
            await agent.arrived(person)
            try await eventually("the machine of \(person) is registered") {
                await agent.record.machine.devices[.person(person)]?.phase == .registered
                    ? true : nil
            }
        }
        return agent
    }

    private func migrate(_ agent: Agent) async throws {
        try setting.install(TestProfile(token: "t"))
        await agent.reload()
        _ = try await setting.device(of: agent)
    }

    private var leavings: Int { served.calls.filter { $0 == .leaving(nil) }.count }

    private func settled(_ agent: Agent) async throws {
        try await eventually("the provider knows") {
            await agent.record.retired.isEmpty ? true : nil
        }
    }

    @Test("Each is taken off the provider, and its keys are kept until then")
    func told() async throws {
        let agent = try await migrating()
        let former = await agent.record.devices.values.map(\.signing)
        try await migrate(agent)
        try await settled(agent)
        #expect(leavings == 2 && former.count == 2)
        #expect(await Array(agent.record.devices.keys) == [.everyone])
    }

    @Test("While the provider is away they wait, across a restart, and an hour later it is told")
    func later() async throws {
        let kept = try await {
            let first = try await migrating()
            let former = await Set(
                first.record.devices.values.map { KeyIdentifier($0.signing.publicKey).description })
            served.leave(.failure(.unreachable("it is away")))
            try await migrate(first)
            try await eventually("it was tried") { leavings > 0 ? true : nil }
            let kept = await first.record.retired
            #expect(Set(kept.map { KeyIdentifier($0.signing.publicKey).description }) == former)
            return kept
        }()
        let agent = try await eventually("the lock is free") {
            try await setting.agent(serving: served)
        }
        #expect(await agent.record.retired == kept)
        let tried = try await eventually("it was tried again") { leavings > 1 ? leavings : nil }
        setting.clock.advance(by: .minutes(59))
        await agent.woke()
        #expect(leavings == tried)
        served.leave(.success(true))
        setting.clock.advance(by: .minutes(1))
        await agent.woke()
        try await settled(agent)
        #expect(leavings == tried + 2)
    }

    @Test("An extension that has no way to say so is asked once, and nothing is kept")
    func cannotTell() async throws {
        let agent = try await migrating()
        served.leave(.success(false))
        try await migrate(agent)
        try await settled(agent)
        #expect(leavings == 2)
    }

    @Test("A provider that has gone for good keeps no key here for ever")
    func patience() async throws {
        let agent = try await migrating()
        served.leave(.failure(.unreachable("it is away")))
        try await migrate(agent)
        try await eventually("it was tried") { leavings > 0 ? true : nil }
        setting.clock.advance(by: .days(31))
        await agent.woke()
        try await settled(agent)
    }

    @Test("With the profile they go as well")
    func removed() async throws {
        let agent = try await migrating()
        served.leave(.failure(.unreachable("it is away")))
        try await migrate(agent)
        try await eventually("it was tried") { leavings > 0 ? true : nil }
        try setting.remove()
        await agent.reload()
        #expect(await agent.record.retired.isEmpty)
    }
}
