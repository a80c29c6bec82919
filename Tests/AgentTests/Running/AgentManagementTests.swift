// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

@testable import Agent

/// What extensions ask of the agent besides keys and configurations.
@Suite struct AgentManagementTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension()
    private var folder: TestFolder { setting.folder }

    private func agent() async throws -> Agent {
        try setting.install(TestProfile(token: "t"))
        return try await setting.agent(serving: served)
    }

    private func registered(_ agent: Agent) async throws -> DeviceRecord {
        try await setting.device(of: agent)
    }

    /// What the disk holds now.
    private func onDisk() throws -> AgentRecord? {
        let copy = folder.path("copy")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.createDirectory(
            atPath: copy, withIntermediateDirectories: true)
        // Not by copyItem: that never ends where a file has shrunk or gone while it is copied.
        let state = folder.path("state")
        for name in try FileManager.default.contentsOfDirectory(atPath: state) {
            guard let bytes = FileManager.default.contents(atPath: "\(state)/\(name)") else {
                continue
            }
            let isWritten = FileManager.default.createFile(
                atPath: "\(copy)/\(name)", contents: bytes,
                attributes: [.posixPermissions: 0o600])
            try #require(isWritten)
        }
        let random = SystemRandomSource()
        return try StateFile(
            folder: copy, keys: AgentKeyStore(.file, random: random), random: random
        ).load()
    }

    @Test("A rotation is on the disk at each step, and ends with the new key and no certificate")
    func rotation() async throws {
        served.next { [self] manager in
            let old = try await manager.deviceKeys()
            try await manager.saveCertificate([0x30, 0], of: .deviceSigning)
            await #expect(throws: KeyStoreError.self) {
                try await manager.completeRotation(of: .deviceSigning)
            }
            let new = try await manager.beginRotation(of: .deviceSigning)
            #expect(try await manager.beginRotation(of: .deviceSigning) == new)
            #expect(await manager.pendingKey(.deviceSigning) == new)
            let half = try onDisk()?.devices[.everyone]
            #expect(half?.signing == old.signing)
            #expect(half?.managed.pending == [.deviceSigning: new])
            #expect(half?.managed.certificates == [.deviceSigning: [0x30, 0]])
            try await manager.completeRotation(of: .deviceSigning)
            #expect(try await manager.deviceKeys().signing == new)
            let whole = try onDisk()?.devices[.everyone]?.managed
            #expect(whole?.pending == [:] && whole?.certificates == [:])
            #expect(whole?.since == [.deviceSigning: setting.clock.now])
        }
        _ = try await registered(try await agent())
    }

    @Test("During a device registration no name, tokens or key of a person can be set")
    func nobody() async throws {
        served.next { manager in
            #expect(await manager.person == nil)
            await #expect(throws: PresentationError.notAllowed) {
                try await manager.saveLoginUserName("anna")
            }
            await #expect(throws: PresentationError.notAllowed) {
                try await manager.saveTokens(JSONObject())
            }
            await #expect(throws: KeyStoreError.self) {
                try await manager.beginRotation(of: .person)
            }
            for need in [ExtensionRepairReason.reauthentication, .personRepair] {
                await #expect(throws: PresentationError.notAllowed) {
                    try await manager.request(need)
                }
            }
        }
        _ = try await registered(try await agent())
    }

    @Test("What an extension saves of a person is kept, and shown to it again")
    func person() async throws {
        let agent = try await agent()
        _ = try await registered(agent)
        served.next { manager in
            try await manager.saveLoginUserName("anna@example.com")
            try await manager.saveTokens(JSONObject([.init(name: "session", value: "s")]))
            let key = try await manager.userKey()
            let new = try await manager.beginRotation(of: .person)
            try await manager.completeRotation(of: .person)
            #expect(try await manager.userKey() == new)
            #expect(new != key)
            #expect(
                await manager.person
                    == ExtensionPerson(
                        isRegistered: false, loginUserName: "anna@example.com",
                        configuration: UserLoginConfiguration(loginUserName: "anna@example.com"),
                        tokens: JSONObject([.init(name: "session", value: "s")])))
        }
        // The sign-in fails, as there is no provider.
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation(["p"]))
        }
        #expect(try onDisk()?.people["anna"]?.tokens?["session"]?.string == "s")
    }

    @Test("A repair that an extension requests starts when its call ends, for what was broken")
    func repair() async throws {
        served.next { manager in
            try await manager.request(.decryptionKeys)
            #expect(try await manager.deviceKeys() == manager.deviceKeys())
        }
        let agent = try await agent()
        try await eventually("it has registered again") {
            served.calls.count == 2 ? true : nil
        }
        let device = try await registered(agent)
        #expect(
            served.calls == [
                .device(.registrationSharedDeviceKeys),
                .device([.registrationSharedDeviceKeys, .registrationRepair]),
            ])
        #expect(device.managed == ManagedKeys())
    }

    private static let repair = ScriptedExtension.Call.device(
        [.registrationSharedDeviceKeys, .registrationRepair])

    @Test("New keys of the machine, made while a person registers, have it registered again")
    func reset() async throws {
        let agent = try await agent()
        let before = try await registered(agent)
        served.next { manager in _ = try await manager.resetDeviceKeys() }
        // The sign-in fails, as there is no provider.
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation(["p"]))
        }
        let after = try await eventually("it has registered again") { () -> DeviceRecord? in
            let device = try await registered(agent)
            return device.configuration == nil ? nil : device
        }
        #expect(after.signing != before.signing)
        #expect(served.calls.contains(Self.repair))
    }

    /// With other keys than those, and a configuration.
    private func expectRegisteredAnew(_ agent: Agent, after before: DeviceRecord) async throws {
        let after = try await eventually("it has registered again") { () -> DeviceRecord? in
            let device = try await registered(agent)
            return device.configuration == nil ? nil : device
        }
        #expect(after.signing != before.signing)
        #expect(served.calls.filter { $0 == Self.repair }.count == 1)
    }

    @Test("New keys of the machine have it registered again when the person then gives up")
    func resetAndGivenUp() async throws {
        let agent = try await agent()
        let before = try await registered(agent)
        let isReset = Shared(false)
        let (held, release) = AsyncStream<Void>.makeStream()
        served.next { manager in
            _ = try await manager.resetDeviceKeys()
            isReset.withLock { $0 = true }
            for await _ in held {}
        }
        let anna = Task {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        try await eventually("the keys are new") { isReset.withLock { $0 } ? true : nil }
        await agent.cancelled("anna")
        await #expect(throws: AgentRefusal.self) { try await anna.value }
        try await expectRegisteredAnew(agent, after: before)
        release.finish()
    }

    @Test("So they do when they are made while the agent replaces a key")
    func resetInRotation() async throws {
        let agent = try await agent()
        let before = try await registered(agent)
        served.next { manager in _ = try await manager.resetDeviceKeys() }
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        try await expectRegisteredAnew(agent, after: before)
    }

    @Test("What an extension asks for while the agent replaces a key begins, and no other key then")
    func repairInRotation() async throws {
        let agent = try await agent()
        _ = try await registered(agent)
        served.next { manager in try await manager.request(.deviceRepair) }
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        try await eventually("it has registered again") {
            served.calls.contains(Self.repair) ? true : nil
        }
        #expect(served.calls.filter { $0 == .rotate(.deviceSigning) }.count == 1)
        #expect(!served.calls.contains(.rotate(.deviceEncryption)))
    }

    @Test("No other call makes new keys while the machine registers with those that it has")
    func resetWhileRegistering() async throws {
        let agent = try await agent()
        let before = try await registered(agent)
        let isHeld = Shared(false)
        let refused = Shared<AgentRefusal?>(nil)
        let (held, release) = AsyncStream<Void>.makeStream()
        served.answer(rotations: [false])
        // The request of an app may do it too: it is not a registration.
        served.next { manager in
            try await eventually("the machine registers") { isHeld.withLock { $0 } ? true : nil }
            do { _ = try await manager.resetDeviceKeys() } catch let error as AgentRefusal {
                refused.withLock { $0 = error }
            }
        }
        let rotation = Task { try await agent.rotateNow() }
        try await eventually("the other call is open") {
            served.calls.contains(.rotate(.deviceSigning)) ? true : nil
        }
        served.next { manager in
            let used = try await manager.deviceKeys().signing
            #expect(used == before.signing)
            isHeld.withLock { $0 = true }
            for await _ in held {}
        }
        let repair = Task {
            try await agent.registerDevice(by: "root", repair: true, ScriptedConversation())
        }
        await #expect(throws: AgentRefusal.notRotated) { try await rotation.value }
        #expect(refused.withLock { $0?.code } == "under_way")
        release.finish()
        try await repair.value
        let after = try await registered(agent)
        #expect(after.signing == before.signing && after.configuration != nil)
        #expect(served.calls.filter { $0 == Self.repair }.count == 1)
    }

    @Test("Cut off between its new keys and their registration, the machine registers at the start")
    func halfReset() async throws {
        try await { _ = try await registered(try await agent()) }()
        let random = SystemRandomSource()
        try await eventually("the lock is free") { () -> Bool? in
            let file = try StateFile(
                folder: folder.path("state"), keys: setting.keys, random: random)
            guard var record = try file.load() else { return nil }
            record.devices[.everyone]?.configuration = nil
            try file.save(record)
            return true
        }
        #expect(!served.calls.contains(Self.repair))
        let again = try await eventually("the lock is free") { try await agent() }
        try await eventually("it has registered again") {
            try await registered(again).configuration == nil ? nil : true
        }
        #expect(served.calls.contains(Self.repair))
    }

    @Test("What was asked for in a call that was given up never happens")
    func givenUp() async throws {
        served.answer(device: [.failed])
        served.next { manager in try await manager.request(.deviceRepair) }
        let agent = try await agent()
        try await eventually("the call has failed") {
            if case .retrying? = await agent.record.registrations.devices[.everyone]?.phase {
                true
            } else {
                nil
            }
        }
        #expect(served.calls.count == 1)
    }
}
