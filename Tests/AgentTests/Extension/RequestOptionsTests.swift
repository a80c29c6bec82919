import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an extension is told of the moment in which it is asked: `userKeyInvalid`, `strongerKeyAvailable`
/// and `setupAssistant`.
@Suite struct RequestOptionsTests {
    private var setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)
    private let relay = Relay()
    private static let repair: ExtensionRequestOptions = [
        .registrationSharedDeviceKeys, .registrationRepair,
    ]
    private static let name = "anna@example.com"

    /// Anna signs in with a key of hers, which nothing guards.
    private func withKey() async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", method: "UserSecureEnclaveKey"), relay: relay,
            serving: served)
        served.next { manager in
            provider.accept(.secureEnclave(try await manager.userKey().publicKey))
        }
        try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        return (agent, provider)
    }

    private func options(_ agent: Agent, after count: Int) async throws -> ExtensionRequestOptions {
        try await eventually("the extension is asked") { () -> ExtensionRequestOptions? in
            for case .user(_, let options) in served.calls.dropFirst(count) { return options }
            return nil
        }
    }

    @Test("A key that the provider refused is said to be no good, until another is made")
    func keyRefused() async throws {
        let (agent, provider) = try await withKey()
        #expect(served.calls.contains(.user(nil, .registrationSharedDeviceKeys)))
        served.answer(user: [.userInterfaceRequired])
        provider.answer(401)
        let before = served.calls.count
        await #expect(throws: (any Error).self) { try await agent.refresh("anna") }
        #expect(try await options(agent, after: before) == Self.repair.union(.userKeyInvalid))
        #expect(await agent.record.people["anna"]?.isKeyInvalid == true)
        provider.answer(nil)
        try await eventually("anna has to register") {
            await agent.record.registrations.people["anna"]?.phase == .waiting ? true : nil
        }
        // The extension makes another.
        served.next { manager in
            provider.accept(.secureEnclave(try await manager.resetUserKey().publicKey))
        }
        try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        #expect(await agent.record.people["anna"]?.isKeyInvalid == false)
        let count = served.calls.count
        try await agent.registerPerson("anna", repair: true, ScriptedConversation())
        #expect(try await options(agent, after: count) == Self.repair)
    }

    @Test("It is still said after a restart")
    func restarted() async throws {
        let provider = try await {
            let (agent, provider) = try await withKey()
            served.answer(user: [.failed])
            provider.answer(401)
            await #expect(throws: (any Error).self) { try await agent.refresh("anna") }
            try await eventually("it has failed") {
                if case .retrying? = await agent.record.registrations.people["anna"]?.phase {
                    true
                } else {
                    nil
                }
            }
            return provider
        }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served)
        }
        let count = served.calls.count
        provider.answer(nil)
        setting.clock.advance(by: .minutes(12))
        await again.woke()
        #expect(try await options(again, after: count) == Self.repair.union(.userKeyInvalid))
    }

    @Test("A key that signs in again was not invalid")
    func acceptedAgain() async throws {
        let (agent, provider) = try await withKey()
        provider.answer(401)
        let before = served.calls.count
        await #expect(throws: (any Error).self) { try await agent.refresh("anna") }
        _ = try await options(agent, after: before)
        provider.answer(nil)
        try await eventually("she is registered again") { () -> Bool? in
            let phase = await agent.record.registrations.people["anna"]?.phase
            return phase == .signingIn || phase == .registered ? true : nil
        }
        try await agent.signIn("anna", ScriptedConversation())
        #expect(await agent.record.people["anna"]?.isKeyInvalid == false)
    }

    @Test("An extension that registers a refused key as it is, is not asked in a circle")
    func circle() async throws {
        let (agent, provider) = try await withKey()
        provider.answer(401)
        await #expect(throws: (any Error).self) { try await agent.refresh("anna") }
        try await eventually("it waits") { () -> Bool? in
            let due = await agent.status(of: "anna").people.first?.nextAt
            return due == setting.clock.now + SignInSchedule.retryDelay ? true : nil
        }
        #expect(
            served.registrations == [
                .user(nil, .registrationSharedDeviceKeys),
                .user(Self.name, Self.repair.union(.userKeyInvalid)),
            ])
        #expect(await agent.record.registrations.people["anna"]?.phase == .signingIn)
    }

    @Test("Where the profile wants a PIN before the key by now, a stronger one is to be had")
    func stronger() async throws {
        let (agent, _) = try await withKey()
        var profile = TestProfile(token: "t", method: "UserSecureEnclaveKey")
        profile.pin = 6
        let count = served.calls.count
        served.answer(user: [.userInterfaceRequired])
        try setting.install(profile)
        await agent.reload()
        #expect(
            try await options(agent, after: count) == Self.repair.union(.strongerKeyAvailable))
    }

    @Test("A registration with a password does not report an invalid key")
    func password() async throws {
        let (agent, provider) = try await withKey()
        provider.answer(401)
        served.answer(user: [.userInterfaceRequired])
        let before = served.calls.count
        await #expect(throws: (any Error).self) { try await agent.refresh("anna") }
        #expect(try await options(agent, after: before).contains(.userKeyInvalid))
        try await eventually("anna has to register") {
            await agent.record.registrations.people["anna"]?.phase == .waiting ? true : nil
        }
        provider.answer(nil)
        try setting.install(TestProfile(token: "t"))
        await agent.reload()
        let count = served.calls.count
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        #expect(try await options(agent, after: count).isDisjoint(with: .userKeyInvalid))
    }

    @Test(
        "During the first setup both registrations are told, where the profile wants them then",
        arguments: [(true, true), (true, false), (false, true)])
    func setup(isInSetup: Bool, isWanted: Bool) async throws {
        var setting = setting
        setting.isInSetup = isInSetup
        var profile = TestProfile(token: "t")
        profile.registersInSetup = isWanted
        let (agent, _) = try await setting.registered(profile, serving: served)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        var expected: ExtensionRequestOptions = .registrationSharedDeviceKeys
        if isInSetup && isWanted { expected.insert(.setupAssistant) }
        #expect(served.calls.prefix(2) == [.device(expected), .user(nil, expected)])
    }

    @Test(
        "Both registrations get the option for a page instead of the fingerprint",
        arguments: [
            (["RequireTouchID", "AllowOpenIDForTouchIDFallback"], true),
            (["RequireTouchIDOrWatch", "AllowOpenIDForTouchIDFallback"], true),
            (["AllowOpenIDForTouchIDFallback"], false), (["RequireTouchID"], false),
        ])
    func fallback(words: [String], isTold: Bool) async throws {
        var profile = TestProfile(token: "t")
        profile.unlockPolicy = words
        let (agent, _) = try await setting.registered(profile, serving: served)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let options = served.calls.prefix(2).compactMap { call -> ExtensionRequestOptions? in
            switch call {
            case .device(let options), .user(_, let options): options
            default: nil
            }
        }
        #expect(options.map { $0.contains(.openIDFallback) } == [isTold, isTold])
    }

    @Test("A machine is in its first setup while systemd says so")
    func firstBoot() throws {
        let folder = TestFolder()
        #expect(!LocalDeviceAttributes.isInSetup(root: folder.path("root")))
        try FileManager.default.createDirectory(
            atPath: folder.path("root/run/systemd"), withIntermediateDirectories: true)
        #expect(!LocalDeviceAttributes.isInSetup(root: folder.path("root")))
        try Data().write(to: URL(filePath: folder.path("root/run/systemd/first-boot")))
        #expect(LocalDeviceAttributes.isInSetup(root: folder.path("root")))
    }
}
