// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

@testable import Agent

@Suite struct AgentTests {
    private let folder = TestFolder()
    private let served = ScriptedExtension()
    private let clock = ManualClock()

    private var profile: String { folder.path("profiles/a.mobileconfig") }

    private func install(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("profiles"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: profile))
        chmod(profile, 0o644)
    }

    private func agent(started: Bool = true) async throws -> Agent {
        let random = SystemRandomSource()
        let keys = AgentKeyStore(.file, random: random)
        let agent = try await Agent(
            file: StateFile(folder: folder.path("state"), keys: keys, random: random), keys: keys,
            profiles: ProfileFolder(path: folder.path("profiles")),
            exchange: ProviderExchange(web: NoProvider(), clock: clock, random: random),
            extensions: served, facts: LocalDeviceAttributes(serialNumber: "C02"),
            notices: NoNotices())
        if started {
            try await agent.start(
                wake: { _ in }, failure: { [folder] in Issue.record("\($0) \(folder.files)") })
        }
        return agent
    }

    private func device(_ agent: Agent) async -> DevicePhase? {
        await agent.record.registrations.devices[.everyone]?.phase
    }

    private func registered(_ agent: Agent) async throws {
        try await eventually("the device is registered") {
            await device(agent) == .registered ? true : nil
        }
    }

    @Test("With a token in the profile the device registers without a person")
    func silent() async throws {
        try install(TestProfile(token: "grt_1").text)
        served.next { manager in
            #expect(manager.registrationToken == Secret("grt_1"))
            #expect(manager.extensionData.first?.name == "issuer")
            #expect(manager.account == nil)
            #expect(manager.facts.serialNumber == "C02")
        }
        let agent = try await agent()
        try await registered(agent)
        #expect(served.calls == [.device(.registrationSharedDeviceKeys)])
        let record = await agent.record
        #expect(record.devices[.everyone]?.configuration == ScriptedExtension.configuration)
        #expect(record.devices[.everyone]?.registeredAt == clock.now)
    }

    @Test("Keys are on the disk before the extension gets them, and a second call gets the same")
    func keysFirst() async throws {
        try install(TestProfile(token: "grt_1").text)
        let copy = folder.path("copy")
        served.answer(device: [.failed])
        served.next { [folder] manager in
            let keys = try await manager.deviceKeys()
            #expect(try await manager.deviceKeys() == keys)
            // What a loss of power at this moment would leave.
            try FileManager.default.copyItem(atPath: folder.path("state"), toPath: copy)
        }
        let agent = try await agent()
        try await eventually("the call has failed") {
            if case .retrying? = await device(agent) { true } else { nil }
        }
        let random = SystemRandomSource()
        let left = try StateFile(
            folder: copy, keys: AgentKeyStore(.file, random: random), random: random
        ).load()
        let kept = try #require(left?.devices[.everyone])
        #expect(await agent.record.devices[.everyone]?.signing == kept.signing)
        clock.advance(by: .minutes(12))
        await agent.woke()
        try await registered(agent)
        #expect(await agent.record.devices[.everyone]?.signing == kept.signing)
    }

    @Test("An agent that starts again goes on where it was, with what it had")
    func restart() async throws {
        try install(TestProfile(token: "grt_1").text)
        var first: Agent? = try await agent()
        if let first { try await registered(first) }
        let record = await first?.record
        first = nil
        let second = try await eventually("the lock is free") { try await agent() }
        #expect(await second.record.devices == record?.devices)
        #expect(served.calls.count == 1)
    }

    @Test("What an abandoned call still says is not kept")
    func abandoned() async throws {
        try install(TestProfile(token: "grt_1").text)
        let (gate, open) = AsyncStream<Void>.makeStream()
        served.next { manager in
            for await _ in gate { break }
            await #expect(throws: PresentationError.callOver) {
                try await manager.saveLoginConfiguration(ScriptedExtension.configuration)
            }
            await #expect(throws: PresentationError.callOver) { try await manager.deviceKeys() }
        }
        let agent = try await agent()
        try await eventually("it is called") { served.calls.isEmpty ? nil : true }
        try FileManager.default.removeItem(atPath: profile)
        await agent.reload()
        open.yield()
        try await eventually("the extension hears of it") {
            served.calls.contains(.removed) && served.calls.contains(.cancel) ? true : nil
        }
        #expect(await agent.record.devices.isEmpty)
        #expect(await agent.record.registrations.plan == nil)
    }

    @Test("No prompt appears unless the extension requested it, with a person present")
    func presentation() async throws {
        try install(TestProfile().text)
        let agent = try await agent()
        #expect(served.calls == [])
        served.answer(device: [.userInterfaceRequired])
        served.next { manager in
            await #expect(throws: PresentationError.notAllowed) {
                try await manager.present(.line("Who?", suggestion: nil))
            }
        }
        served.next { manager in
            let answer = try await manager.present(.line("Who?", suggestion: nil))
            #expect(answer == "anna")
        }
        let conversation = ScriptedConversation(["anna"])
        try await agent.registerDevice(by: "anna", repair: false, conversation)
        #expect(conversation.questions == [.line("Who?", suggestion: nil)])
        #expect(
            served.calls == [
                .device([.registrationSharedDeviceKeys]),
                .device([.registrationSharedDeviceKeys, .userInteractionEnabled]),
            ])
    }

    @Test("Settings of a person cannot be set during a device registration")
    func userSettings() async throws {
        try install(TestProfile(token: "grt_1").text)
        served.next { manager in
            await #expect(throws: PresentationError.notAllowed) {
                try await manager.saveUserLoginConfiguration(
                    UserLoginConfiguration(loginUserName: "anna"))
            }
            await #expect(throws: PresentationError.notAllowed) { try await manager.userKey() }
        }
        try await registered(try await agent())
    }

    @Test("A failed sign-in after a registration has a reason, and the person stays registered")
    func unreachable() async throws {
        try install(TestProfile(token: "grt_1").text)
        let agent = try await agent()
        try await registered(agent)
        let conversation = ScriptedConversation(["secret"])
        await #expect(throws: AgentRefusal("unreachable", "")) {
            try await agent.registerPerson("anna", repair: false, conversation)
        }
        #expect(await agent.record.registrations.people["anna"]?.phase == .signingIn)
        #expect(await agent.record.people["anna"]?.loginUserName == "anna@example.com")
    }

    @Test("What cannot be begun is refused in the agent's words")
    func declined() async throws {
        let agent = try await agent()
        await #expect(throws: AgentRefusal.notConfigured) {
            try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
        }
        served.answer(device: [.failedNoRetry])
        try install(TestProfile(token: "grt_1").text)
        await agent.reload()
        try await eventually("it is refused") { await device(agent) == .refused ? true : nil }
        await #expect(throws: AgentRefusal("not_before_change", "")) {
            try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
        }
    }

    @Test("A profile that is half written is not a profile that was removed")
    func halfWritten() async throws {
        try install(TestProfile(token: "grt_1").text)
        let agent = try await agent()
        try await registered(agent)
        try install(String(TestProfile(token: "grt_1").text.prefix(300)))
        await agent.reload()
        #expect(await device(agent) == .registered)
        #expect(await agent.status(of: nil).problems.count == 1)
        try FileManager.default.removeItem(atPath: profile)
        await agent.reload()
        #expect(await agent.record.devices.isEmpty)
    }

    @Test("Tokens, secrets and renewals need a sign-in")
    func signedOut() async throws {
        try install(TestProfile(token: "grt_1").text)
        let agent = try await agent()
        try await registered(agent)
        await #expect(throws: AgentRefusal.notRegistered) { try await agent.idToken(of: "anna") }
        await #expect(throws: AgentRefusal.notRegistered) {
            try await agent.seal(Secret("x"), of: "anna")
        }
        for length in [0, 65_537] {
            await #expect(throws: AgentRefusal.cannotSeal) {
                try await agent.seal(Secret([UInt8](repeating: 1, count: length)), of: "anna")
            }
        }
        await #expect(throws: AgentRefusal.signedOut) { try await agent.refresh("anna") }
    }

    @Test("The status says what happens next, and survives the socket")
    func status() async throws {
        try install(TestProfile(token: "grt_1").text)
        served.answer(device: [.failed])
        let agent = try await agent()
        await agent.arrived("anna")
        try await eventually("it has failed") {
            if case .retrying? = await device(agent) { true } else { nil }
        }
        let status = await agent.status(of: nil)
        #expect(status.devices.first?.phase == "retrying")
        #expect(status.devices.first?.until != nil)
        #expect(status.people.first?.phase == "waiting-for-device")
        #expect(AgentStatus(status.json) == status)
        #expect(await agent.status(of: "bea").people.isEmpty)
    }

    @Test("A profile that wants keys elsewhere than they are does not count, and says why")
    func keyStores() async throws {
        var profile = TestProfile(token: "grt_1")
        profile.keyStores = ["tpm", "pkcs11"]
        try install(profile.text)
        let agent = try await agent()
        #expect(served.calls == [])
        let problem = await agent.status(of: nil).problems.first
        #expect(
            problem?.contains(
                "it requires keys in tpm or pkcs11; the keys of this device are in file") == true)
        profile.keyStores = ["tpm", "file"]
        try install(profile.text)
        await agent.reload()
        try await registered(agent)
    }
}
