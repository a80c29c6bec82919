// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import PKCS11
import PlatformSSO
import Primitives
import Support
import Testing
import UserClient

@testable import Agent

/// A folder, a clock, and agents in them that registered their machine at a played provider.
struct SignInSetting {
    let folder = TestFolder()
    let clock = ManualClock()
    /// Unless a test takes another.
    var keys = AgentKeyStore(.file, random: SystemRandomSource())

    /// A clock that only a test advances.
    var running: any BootTimeClock = ManualRunningClock()

    /// Whether the machine is set up for the first time.
    var isInSetup = false

    var notices: any AgentEventLog = NoNotices()

    private var profile: URL { URL(filePath: folder.path("profiles/a.mobileconfig")) }

    func install(_ profile: TestProfile) throws { try write(profile.text) }

    private func ownProfile(_ account: String) -> String {
        folder.path("profiles/users/\(account)/own.mobileconfig")
    }

    /// For that account alone.
    func install(_ profile: TestProfile, for account: String) throws {
        try write(profile.text, for: account)
    }

    func write(_ text: String, for account: String) throws {
        let path = ownProfile(account)
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    func remove(for account: String) throws {
        try FileManager.default.removeItem(atPath: ownProfile(account))
    }

    func remove() throws { try FileManager.default.removeItem(at: profile) }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("profiles"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: profile)
    }

    /// Returns an agent with the present state.
    ///
    /// - Parameters:
    ///   - web: The provider.
    ///   - served: The extension; by default it registers all people.
    func agent(
        _ web: any WebTransport = NoProvider(),
        serving served: any ExtensionSource = SignInSetting.everybody,
        cards: CardReader? = nil, securityKeys: PresenceKeys? = nil
    ) async throws -> Agent {
        let random = SystemRandomSource()
        let keys = keys
        let path = folder.path("state")
        let agent = try await Agent(
            file: try await blocking { try StateFile(folder: path, keys: keys, random: random) },
            keys: keys, profiles: ProfileFolder(path: folder.path("profiles")),
            exchange: ProviderExchange(web: web, clock: clock, random: random),
            extensions: served, facts: LocalDeviceAttributes(), cards: cards,
            securityKeys: securityKeys, notices: notices,
            isInSetup: { [isInSetup] in isInSetup },
            running: running)
        try await agent.start(
            wake: { _ in }, failure: { [folder] in Issue.record("\($0) \(folder.files)") })
        return agent
    }

    static var everybody: ScriptedExtension {
        ScriptedExtension(configuration: PlayedProvider.configuration, hasKeyService: true)
    }

    /// The device, once it is registered.
    func device(of agent: Agent) async throws -> DeviceRecord {
        try await eventually("the device is registered") {
            await agent.record.registrations.devices[.everyone]?.phase == .registered
                ? await agent.record.devices[.everyone] : nil
        }
    }

    func registered(
        _ profile: TestProfile, relay: Relay = Relay(),
        serving served: any ExtensionSource = SignInSetting.everybody, cards: CardReader? = nil,
        securityKeys: PresenceKeys? = nil
    ) async throws -> (Agent, PlayedProvider) {
        try install(profile)
        let agent = try await agent(
            relay, serving: served, cards: cards, securityKeys: securityKeys)
        let device = try await device(of: agent)
        let provider = try PlayedProvider(
            clock: clock,
            device: DeviceKeys(
                signing: device.signing.publicKey, encryption: [device.encryption.publicKey]))
        relay.use(provider)
        return (agent, provider)
    }
}
