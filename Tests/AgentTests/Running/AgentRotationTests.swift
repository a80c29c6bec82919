import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

@Suite struct KeyRotationScheduleTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test("Without a lifetime no key is ever replaced")
    func never() {
        #expect(KeyRotationSchedule(lifetime: nil).due(since: now, now: now) == nil)
        #expect(KeyRotationSchedule(SSOConfiguration()).lifetime == nil)
    }

    @Test("An expired key is replaced; a key of unknown age at once")
    func due() {
        let schedule = KeyRotationSchedule(lifetime: .days(90))
        #expect(schedule.due(since: now, now: now) == now + .days(90))
        #expect(schedule.due(since: nil, now: now) == now)
    }

    @Test("One that was made in times to come was made by a clock in trouble")
    func ahead() {
        let schedule = KeyRotationSchedule(lifetime: .days(90))
        #expect(schedule.due(since: now + .hours(1), now: now) == now)
        #expect(schedule.due(since: now + .minutes(1), now: now) == now + .minutes(1) + .days(90))
    }

    @Test("What failed is tried again after an hour, and a clock that is set back puts off nothing")
    func retry() {
        let schedule = KeyRotationSchedule(lifetime: .days(1), failedAt: now)
        #expect(schedule.due(since: nil, now: now) == now + .hours(1))
        #expect(schedule.due(since: now, now: now) == now + .days(1))
        #expect(schedule.due(since: nil, now: now + .hours(-2)) == now + .hours(-2))
    }

    @Test("The profile says it in days, from one to ten years", arguments: [(0, 1), (9999, 3650)])
    func days(_ written: Int64, _ meant: Int64) {
        var configuration = SSOConfiguration()
        configuration.extensionData = [.init("key_rotation", .integer(written))]
        #expect(KeyRotationSchedule(configuration).lifetime == .days(meant))
    }
}

/// Keys that the agent replaces by itself.
@Suite struct AgentRotationTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension()

    private func agent(rotation: Int? = 30, _ method: String = "Password") async throws -> Agent {
        var profile = TestProfile(token: "t", method: method)
        profile.rotation = rotation
        try setting.install(profile)
        let agent = try await setting.agent(serving: served)
        _ = try await setting.device(of: agent)
        return agent
    }

    private func device(_ agent: Agent) async throws -> DeviceRecord {
        try #require(await agent.record.devices[.everyone])
    }

    private static let both = [
        ScriptedExtension.Call.rotate(.deviceSigning), .rotate(.deviceEncryption),
    ]

    @Test("Both keys of the device are replaced once, when they expire")
    func replaced() async throws {
        let agent = try await agent()
        let old = try await device(agent)
        setting.clock.advance(by: .days(29))
        await agent.woke()
        #expect(try await device(agent).signing == old.signing)
        setting.clock.advance(by: .days(1))
        await agent.woke()
        let new = try await device(agent)
        #expect(new.signing != old.signing && new.encryption != old.encryption)
        #expect(new.managed.pending == [:])
        await agent.woke()
        #expect(served.calls.dropFirst() == Self.both[...])
        #expect(try await device(agent).signing == new.signing)
        let next = await agent.status(of: nil).devices.first?.rotatesAt
        #expect(next == setting.clock.now + .days(30))
    }

    @Test("Without a word in the profile keys stay for as long as they are good")
    func unasked() async throws {
        let agent = try await agent(rotation: nil)
        setting.clock.advance(by: .days(4000))
        await agent.woke()
        #expect(served.calls.count == 1)
    }

    @Test("A key that the extension would not have is not taken, and offered again an hour later")
    func refused() async throws {
        let agent = try await agent()
        let old = try await device(agent)
        served.answer(rotations: [false])
        setting.clock.advance(by: .days(31))
        await agent.woke()
        let waiting = try await device(agent)
        #expect(waiting.signing == old.signing)
        let pending = try #require(waiting.managed.pending[.deviceSigning])
        await agent.woke()
        #expect(served.calls.count == 2)
        setting.clock.advance(by: .hours(1))
        await agent.woke()
        #expect(try await device(agent).signing == pending)
    }

    @Test("Cut off after the provider has heard of it, the same key is offered again")
    func cutOff() async throws {
        let pending: AgentKey? = try await {
            let agent = try await agent()
            served.answer(rotations: [false])
            setting.clock.advance(by: .days(31))
            await agent.woke()
            return try await device(agent).managed.pending[.deviceSigning]
        }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(serving: served)
        }
        #expect(try await device(again).signing == pending)
        #expect(served.calls.suffix(3) == [.rotate(.deviceSigning)] + Self.both)
    }

    @Test("A request during a key replacement uses the key that the provider knows")
    func whole() async throws {
        let agent = try await agent()
        let old = try await device(agent)
        served.next { manager in
            let now = try await manager.deviceKeys()
            #expect(now.signing == old.signing)
            #expect(await manager.pendingKey(.deviceSigning) != nil)
        }
        try await agent.rotateNow()
        #expect(try await device(agent).signing != old.signing)
    }

    @Test("By hand it can be done at any time, and says when it could not")
    func byHand() async throws {
        let agent = try await agent(rotation: nil)
        let old = try await device(agent)
        served.answer(rotations: [true, false])
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        let half = try await device(agent)
        #expect(half.signing != old.signing && half.encryption == old.encryption)
        try await agent.rotateNow()
        #expect(try await device(agent).encryption != old.encryption)
    }

    @Test("No key is replaced during a prompt")
    func attended() async throws {
        let agent = try await agent()
        setting.clock.advance(by: .days(31))
        served.next { [setting] manager in
            await agent.woke()
            #expect(await agent.record.devices[.everyone]?.managed.pending == [:])
            setting.clock.advance(by: .hours(1))
        }
        // The sign-in fails, as there is no provider.
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        await agent.woke()
        #expect(served.calls.suffix(2) == Self.both[...])
    }

    @Test("A person's key is replaced automatically only if it has no PIN")
    func person() async throws {
        let agent = try await agent("UserSecureEnclaveKey")
        served.next { manager in _ = try await manager.userKey() }
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        let old = await agent.record.people["anna"]?.key
        setting.clock.advance(by: .days(31))
        await agent.woke()
        #expect(await agent.record.people["anna"]?.key != old)
        #expect(served.calls.last == .rotate(.person))
    }
}
