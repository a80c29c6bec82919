import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// Profiles for single accounts, as the agent follows them.
@Suite struct AgentOwnProfileTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)

    private func registered(_ agent: Agent, _ account: String) async throws -> DeviceRecord {
        try await eventually("the machine is registered for \(account)") {
            let owner = DeviceOwner.person(account)
            return await agent.record.registrations.devices[owner]?.phase == .registered
                ? await agent.record.devices[owner] : nil
        }
    }

    /// Without the warning that others can read a token, which is true of a test's files.
    private func problems(_ agent: Agent) async -> [String] {
        await agent.status(of: nil).problems.filter { !$0.contains("registration token") }
    }

    @Test("It registers the device for that account only")
    func alone() async throws {
        try setting.install(TestProfile(token: "of anna"), for: "anna")
        served.next { manager in
            #expect(manager.registrationToken == Secret("of anna"))
            #expect(manager.owner == .person("anna"))
        }
        let agent = try await setting.agent(serving: served)
        _ = try await registered(agent, "anna")
        await agent.arrived("bea")
        await #expect(throws: AgentRefusal.notConfigured) {
            try await agent.registerPerson("bea", repair: false, ScriptedConversation())
        }
        #expect(await agent.record.people["bea"] == nil)
        let status = await agent.status(of: nil)
        #expect(status.people.map(\.account) == ["anna"])
        #expect(status.people.first?.hasOwnProfile == true)
        // The policies of admission concern the device.
        #expect(await agent.record.terms == nil)
    }

    @Test("Removed, it takes the registration of that account with it, and no other")
    func removed() async throws {
        for name in ["anna", "bea"] { try setting.install(TestProfile(token: name), for: name) }
        let agent = try await setting.agent(serving: served)
        let bea = try await registered(agent, "bea")
        _ = try await registered(agent, "anna")
        try setting.remove(for: "anna")
        await agent.reload()
        #expect(await agent.record.devices == [.person("bea"): bea])
        try setting.remove(for: "bea")
        await agent.reload()
        #expect(await agent.record.devices.isEmpty)
        #expect(await agent.record.registrations.plan == nil)
    }

    @Test("Half written, it removes nothing, also when the agent starts with it")
    func halfWritten() async throws {
        for name in ["anna", "bea"] { try setting.install(TestProfile(token: name), for: name) }
        let half = String(TestProfile(token: "anna").text.prefix(300))
        let before = try await {
            let agent = try await setting.agent(serving: served)
            for name in ["anna", "bea"] { _ = try await registered(agent, name) }
            try setting.write(half, for: "anna")
            await agent.reload()
            #expect(await problems(agent).count == 1)
            return await agent.record.devices
        }()
        #expect(before.count == 2)
        let again = try await eventually("the lock is free") {
            try await setting.agent(serving: served)
        }
        #expect(await again.record.devices == before)
        try setting.install(TestProfile(token: "anna"), for: "anna")
        await again.reload()
        #expect(await problems(again) == [])
        #expect(await again.record.devices == before)
    }

    @Test("An incomplete device-channel profile changes nothing")
    func machineHalfWritten() async throws {
        try setting.install(TestProfile(token: "t"))
        try setting.install(TestProfile(token: "anna"), for: "anna")
        let agent = try await setting.agent(serving: served)
        let device = try await setting.device(of: agent)
        try setting.write(String(TestProfile(token: "t").text.prefix(300)))
        await agent.reload()
        #expect(await agent.record.devices == [.everyone: device])
        #expect(await agent.record.registrations.plan?.accounts == nil)
    }

    @Test("Next to a device-channel profile it can require more of its account only")
    func stricter() async throws {
        var own = TestProfile(method: "UserSecureEnclaveKey")
        own.pin = 6
        try setting.install(TestProfile(token: "t", method: "UserSecureEnclaveKey"))
        try setting.install(own, for: "anna")
        let agent = try await setting.agent(serving: served)
        _ = try await setting.device(of: agent)
        for name in ["anna", "bea"] {
            served.answer(user: [.userInterfaceRequired, .success])
            served.next { _ in }
            served.next { manager in _ = try await manager.userKey() }
            _ = try? await agent.registerPerson(
                name, repair: false, ScriptedConversation(["3141-59", "3141-59"]))
        }
        #expect(await agent.status(of: "anna").people.first?.pinTries == 8)
        #expect(await agent.record.people["bea"]?.key != nil)
        #expect(await agent.status(of: "bea").people.first?.pinTries == nil)
    }

    @Test("One that cannot be followed weakens nothing: its account waits, and no other does")
    func unfollowed() async throws {
        var own = TestProfile(method: "UserSecureEnclaveKey")
        own.presence = "touch_id"
        try setting.install(TestProfile(token: "t", method: "UserSecureEnclaveKey"))
        try setting.install(own, for: "anna")
        let agent = try await setting.agent(serving: served)
        _ = try await setting.device(of: agent)
        #expect(await problems(agent).map { $0.hasPrefix("users/anna: it requires") } == [true])
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        #expect(await agent.record.people["anna"]?.key == nil)
        served.next { manager in _ = try await manager.userKey() }
        _ = try? await agent.registerPerson("bea", repair: false, ScriptedConversation())
        #expect(await agent.record.people["bea"]?.key != nil)
    }

    @Test("An extension or a method that the machine does not have is a problem, and not followed")
    func otherExtension() async throws {
        try setting.install(TestProfile(token: "t"))
        var other = TestProfile(token: "x")
        other.identifier = "com.example.other"
        try setting.install(other, for: "anna")
        let agent = try await setting.agent(serving: served)
        let device = try await setting.device(of: agent)
        #expect(await agent.record.devices == [.everyone: device])
        #expect(await agent.status(of: nil).people.isEmpty)

        try setting.remove()
        try setting.install(TestProfile(token: "b"), for: "bea")
        await agent.reload()
        _ = try await registered(agent, "anna")
        #expect(
            await problems(agent)
                == ["users/bea: another extension or method than on this device"])
        #expect(await agent.record.registrations.plan?.accounts == ["anna"])
    }

    @Test("Who registers the machine of all brings the token of their own profile")
    func ownToken() async throws {
        try setting.install(TestProfile())
        try setting.install(TestProfile(token: "of anna"), for: "anna")
        let agent = try await setting.agent(serving: served)
        #expect(served.calls == [])
        served.next { manager in #expect(manager.registrationToken == nil) }
        served.answer(device: [.failed])
        await #expect(throws: (any Error).self) {
            try await agent.registerDevice(by: "bea", repair: false, ScriptedConversation())
        }
        served.next { manager in #expect(manager.registrationToken == Secret("of anna")) }
        try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
    }

    @Test("A profile that wants keys elsewhere than they are is not followed for its account")
    func keyStores() async throws {
        var own = TestProfile(token: "anna")
        own.keyStores = ["tpm"]
        try setting.install(own, for: "anna")
        let agent = try await setting.agent(serving: served)
        #expect(
            await problems(agent) == [
                "users/anna: it requires keys in tpm; the keys of this device are in file"
            ]
        )
        #expect(await agent.record.registrations.plan == nil && served.calls == [])
    }
}
