import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Support
import Testing

/// A device is registered once at its provider, whatever response was lost:
/// `docs/protocols/agent.md` has the same, for every order of events.
@Suite struct AgentIdentityTests {
    private let setting = SignInSetting()
    private let registrar: PlayedRegistrar

    init() throws { registrar = try PlayedRegistrar() }

    private func agent(_ profile: TestProfile = TestProfile(token: "t")) async throws -> Agent {
        try setting.install(profile)
        let exchange = ProviderExchange(
            web: registrar, clock: setting.clock, random: SystemRandomSource())
        return try await setting.agent(
            registrar,
            serving: BuiltInExtensions(GatehouseExtension(exchange: exchange, keys: setting.keys)))
    }

    private func install(_ profile: TestProfile, _ agent: Agent) async throws {
        try setting.install(profile)
        await agent.reload()
    }

    @discardableResult
    private func device(_ owner: DeviceOwner, of agent: Agent) async throws -> DeviceRecord {
        try await eventually("the device is registered") {
            await agent.record.registrations.devices[owner]?.phase == .registered
                ? await agent.record.devices[owner] : nil
        }
    }

    /// The provider has taken a new key, and the agent has not heard of it.
    private func rotationLost(
        _ agent: Agent, _ owner: DeviceOwner = .everyone
    ) async throws -> AgentKey {
        try await device(owner, of: agent)
        registrar.loseAnswer()
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        return try #require(await agent.record.devices[owner]?.managed.pending[.deviceSigning])
    }

    private func expectOne(
        _ machines: Int, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await eventually("one machine lives") { registrar.living == 1 ? true : nil }
        #expect(registrar.machines == machines, sourceLocation: location)
    }

    // MARK: Keys that are replaced

    @Test(
        "A key accepted in a lost response is the device's key at the next registration"
    )
    func repaired() async throws {
        let agent = try await agent()
        let pending = try await rotationLost(agent)
        registrar.endOverlaps()
        try await agent.registerDevice(by: "root", repair: true, ScriptedConversation())
        let device = try await device(.everyone, of: agent)
        #expect(device.signing == pending)
        #expect(device.managed.pending.isEmpty && device.managed.offered.isEmpty)
        try await expectOne(1)
    }

    @Test("It is taken into use within the hour, whatever the profile says of replacing keys")
    func takenUp() async throws {
        let agent = try await agent()
        let pending = try await rotationLost(agent)
        setting.clock.advance(by: .hours(1))
        await agent.woke()
        #expect(try await device(.everyone, of: agent).signing == pending)
        try await expectOne(1)
    }

    @Test("A machine leaves by every key that the provider may know it by")
    func leaving() async throws {
        let agent = try await agent()
        _ = try await rotationLost(agent)
        try await agent.unregisterDevice(of: "root", localOnly: false)
        #expect(registrar.living == 0)
    }

    @Test("A device revoked during a registration registers again once, with new keys")
    func revoked() async throws {
        let agent = try await agent()
        let pending = try await rotationLost(agent)
        registrar.revokeAll()
        try await agent.registerDevice(by: "root", repair: true, ScriptedConversation())
        #expect(try await device(.everyone, of: agent).signing != pending)
        try await expectOne(2)
    }

    // MARK: Keys that migrate

    @Test("From shared keys to keys of a person and back it is there once, each time")
    func migration() async throws {
        let agent = try await agent()
        try await device(.everyone, of: agent)
        await agent.arrived("anna")
        try await install(TestProfile(token: "t", shared: false), agent)
        try await device(.person("anna"), of: agent)
        try await expectOne(2)
        // The key of one person becomes the machine's: it needs no token.
        try await install(TestProfile(), agent)
        try await device(.everyone, of: agent)
        try await expectOne(2)
        try await eventually("the keys of before are gone") {
            await agent.record.devices.keys.elementsEqual([.everyone]) ? true : nil
        }
    }

    @Test("Shared keys are kept until the provider knows that they have left")
    func leavingLost() async throws {
        let agent = try await agent()
        try await device(.everyone, of: agent)
        await agent.arrived("anna")
        registrar.loseAnswer(of: "/leave")
        try await install(TestProfile(token: "t", shared: false), agent)
        try await device(.person("anna"), of: agent)
        try await eventually("it could not be told") {
            await agent.record.registrations.leavingAt == nil ? nil : true
        }
        #expect(await agent.record.devices[.everyone] != nil)
        setting.clock.advance(by: .minutes(12))
        await agent.woke()
        try await eventually("the keys of before are gone") {
            await agent.record.devices[.everyone] == nil ? true : nil
        }
        try await expectOne(2)
    }

    @Test("Keys migrate also if the provider accepted another one in a lost response")
    func migrationAfterLoss() async throws {
        let agent = try await agent(TestProfile(token: "t", shared: false))
        await agent.arrived("anna")
        _ = try await rotationLost(agent, .person("anna"))
        try await install(TestProfile(), agent)
        try await device(.everyone, of: agent)
        try await expectOne(1)
    }

    @Test("Keys that prove nothing any more do not keep a machine from registering with a token")
    func migrationRevoked() async throws {
        let agent = try await agent(TestProfile(token: "t", shared: false))
        await agent.arrived("anna")
        try await device(.person("anna"), of: agent)
        registrar.revokeAll()
        try await install(TestProfile(token: "t"), agent)
        try await device(.everyone, of: agent)
        try await expectOne(2)
    }
}
