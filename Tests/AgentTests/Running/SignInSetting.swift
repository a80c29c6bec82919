// SPDX-License-Identifier: Apache-2.0
import Agent
import Foundation
import PKCS11
import PlatformSSO
import Primitives
import Support
import Testing

/// A folder, a clock, and agents in them that registered their machine at a played provider.
struct SignInSetting {
    let folder = TestFolder()
    let clock = ManualClock()
    /// Unless a test takes another.
    var keys = KeyStore(.file, random: SystemRandomSource())

    func install(_ profile: TestProfile) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("profiles"), withIntermediateDirectories: true)
        try Data(profile.text.utf8).write(
            to: URL(filePath: folder.path("profiles/a.mobileconfig")))
    }

    /// An agent on the state as it is, with the provider that it talks to.
    func agent(_ relay: Relay, cards: CardReader? = nil) async throws -> Agent {
        let served = ScriptedExtension(
            configuration: PlayedProvider.configuration, hasKeyService: true)
        let random = SystemRandomSource()
        let keys = keys
        let path = folder.path("state")
        let agent = try await Agent(
            file: try await blocking { try StateFile(folder: path, keys: keys, random: random) },
            keys: keys, profiles: ProfileFolder(path: folder.path("profiles")),
            exchange: ProviderExchange(web: relay, clock: clock, random: random),
            extensions: served, facts: DeviceFacts(), cards: cards, notices: NoNotices())
        try await agent.start(
            wake: { _ in }, failure: { [folder] in Issue.record("\($0) \(folder.files)") })
        return agent
    }

    func registered(
        _ profile: TestProfile, relay: Relay = Relay(), cards: CardReader? = nil
    ) async throws -> (Agent, PlayedProvider) {
        try install(profile)
        let agent = try await agent(relay, cards: cards)
        let device = try await eventually("the device is registered") {
            await agent.record.machine.devices[.everyone]?.phase == .registered
                ? await agent.record.devices[.everyone] : nil
        }
        let provider = try PlayedProvider(
            clock: clock,
            device: DeviceKeys(
                signing: device.signing.publicKey, encryption: [device.encryption.publicKey]))
        relay.use(provider)
        return (agent, provider)
    }
}
