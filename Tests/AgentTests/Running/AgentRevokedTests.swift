import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing

/// A machine that its provider does not know any more, and registrations that do not succeed.
@Suite struct AgentRevokedTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(
        configuration: PlayedProvider.configuration, hasKeyService: true)

    /// Anna is signed in, and has sealed something that opens without the provider for a week.
    private func signedIn() async throws -> (Agent, PlayedProvider, JSONObject) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800, grace: 7), serving: served)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider, try await agent.seal(Secret("x"), of: "anna"))
    }

    private func expectRevoked(
        _ agent: Agent, _ provider: PlayedProvider, _ sealed: JSONObject
    ) async throws {
        #expect(await agent.record.people["anna"]?.session == nil)
        // A secret that was sealed now could never be opened.
        await #expect(throws: AgentRefusal.noUnlockKey) {
            try await agent.seal(Secret("y"), of: "anna")
        }
        try await eventually("it has registered again, as a repair") {
            served.calls.contains(.device([.registrationSharedDeviceKeys, .registrationRepair]))
                ? true : nil
        }
        provider.goAway()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(sealed, of: "anna") }
        await #expect(throws: AgentRefusal.signedOut) { try await agent.idToken(of: "anna") }
    }

    @Test(
        "A revocation is detected at a renewal: people are signed out and the device registers again"
    )
    func renewal() async throws {
        let (agent, provider, sealed) = try await signedIn()
        provider.forget()
        setting.clock.advance(by: .hours(5))
        await agent.woke()
        try await expectRevoked(agent, provider, sealed)
    }

    @Test("A revocation is detected at unsealing, and ends the grace period")
    func unsealing() async throws {
        let (agent, provider, sealed) = try await signedIn()
        provider.forget()
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.unseal(sealed, of: "anna")
        }
        #expect(refusal?.code == "device_unknown")
        try await expectRevoked(agent, provider, sealed)
    }

    @Test("A revocation is detected at a sign-in or admission, which is then refused")
    func signingIn() async throws {
        let (agent, provider, sealed) = try await signedIn()
        provider.forget()
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        #expect(refusal?.code == "device_unknown")
        try await expectRevoked(agent, provider, sealed)
    }

    @Test("A revocation is detected while it registers again, and cached agreements are unusable")
    func repairing() async throws {
        let (agent, provider, sealed) = try await signedIn()
        served.answer(device: [.failed])
        await #expect(throws: AgentRefusal.self) {
            try await agent.registerDevice(by: "anna", repair: true, ScriptedConversation())
        }
        provider.forget()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(sealed, of: "anna") }
        #expect(await agent.record.people["anna"]?.session == nil)
        provider.goAway()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(sealed, of: "anna") }
    }

    @Test(
        "A machine that was to leave, and is then unknown, has left: it does not register by itself"
    )
    func left() async throws {
        let (agent, provider, _) = try await signedIn()
        served.leave(.failure(.unreachable("the answer is lost")))
        await #expect(throws: ProviderError.self) {
            try await agent.unregisterDevice(of: "anna", localOnly: false)
        }
        provider.forget()
        await #expect(throws: AgentRefusal.self) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        // The provider may know it by another key: without an answer it stays registered, without
        // people.
        #expect(await agent.record.registrations.devices[.everyone]?.phase == .registered)
        #expect(await agent.record.people["anna"]?.session == nil)
        served.leave(.success(true))
        await #expect(throws: AgentRefusal.self) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        #expect(await agent.record.registrations.devices[.everyone]?.phase == .waiting)
        #expect(await agent.record.devices.isEmpty)
        setting.clock.advance(by: .days(1))
        await agent.woke()
        #expect(await agent.record.registrations.devices[.everyone]?.phase == .waiting)
    }

    @Test("A machine that was to leave, and signs in afterwards, has not left")
    func stayed() async throws {
        let (agent, provider, sealed) = try await signedIn()
        served.leave(.failure(.unreachable("it was never sent")))
        await #expect(throws: ProviderError.self) {
            try await agent.unregisterDevice(of: "anna", localOnly: false)
        }
        setting.clock.advance(by: .minutes(6))
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        provider.forget()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(sealed, of: "anna") }
        try await expectRevoked(agent, provider, sealed)
    }

    @Test(
        "A device with an unknown key offers its pending key first, and no person is signed out"
    )
    func rotating() async throws {
        let (agent, provider, _) = try await signedIn()
        served.answer(rotations: [false])
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        provider.forget()
        await #expect(throws: AgentRefusal.self) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        #expect(served.calls.count { $0 == .rotate(.deviceSigning) } == 2)
        #expect(await agent.record.people["anna"]?.session != nil)
        #expect(await agent.record.registrations.devices[.everyone]?.phase == .registered)
    }

    @Test("A sign-in while a renewal is under way counts, and its answer does not take it back")
    func race() async throws {
        let (agent, provider, _) = try await signedIn()
        setting.clock.advance(by: .hours(5))
        let signedIn = Mutex<SignInSession?>(nil)
        provider.meanwhile {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
            let session = await agent.record.people["anna"]?.session
            signedIn.withLock { $0 = session }
        }
        await agent.woke()
        let expected = try #require(signedIn.withLock { $0 })
        #expect(await agent.record.people["anna"]?.session == expected)
    }

    // MARK: Registrations that do not succeed

    @Test("The reason of a failed registration is in the status, and reported to waiting clients")
    func reasons() async throws {
        try setting.install(TestProfile(token: "t"))
        served.answer(device: [.failed])
        served.next { await $0.explain("a device with this serial number is registered") }
        let agent = try await setting.agent(serving: served)
        try await eventually("it has failed") {
            await agent.status(of: nil).devices.first?.phase == "retrying" ? true : nil
        }
        let status = await agent.status(of: nil)
        #expect(status.devices.first?.reason == "a device with this serial number is registered")
        #expect(AgentStatus(status.json) == status)
        served.answer(device: [.failed])
        served.next { await $0.explain("busy\n\u{1B}[2J\u{9B}1m \u{202E}\u{2028}now\u{2069}") }
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
        }
        #expect(refusal?.description.contains("did not succeed: busy [2J1m now;") == true)
        try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
        #expect(await agent.status(of: nil).devices.first?.reason == nil)
    }

    /// Finds no extension until a test enables it.
    private final class Absent: ExtensionSource {
        let served: ScriptedExtension
        let folder: TestFolder
        init(_ served: ScriptedExtension, _ folder: TestFolder) {
            (self.served, self.folder) = (served, folder)
        }
        func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
            FileManager.default.fileExists(atPath: folder.path("away"))
                ? nil : served.find(configuration)
        }
    }

    @Test(
        "A registration whose extension is missing is retried, and does not stay in progress"
    )
    func absent() async throws {
        try setting.install(TestProfile(token: "t"))
        served.answer(device: [.failed])
        let agent = try await setting.agent(serving: Absent(served, setting.folder))
        try await eventually("it has failed") {
            await agent.status(of: nil).devices.first?.phase == "retrying" ? true : nil
        }
        let mark = setting.folder.path("away")
        try Data().write(to: URL(filePath: mark))
        setting.clock.advance(by: .minutes(12))
        await agent.woke()
        try await eventually("it is for later") {
            await agent.status(of: nil).devices.first?.phase == "retrying" ? true : nil
        }
        #expect(served.calls.count == 1)
        try FileManager.default.removeItem(atPath: mark)
        setting.clock.advance(by: .minutes(12))
        await agent.woke()
        _ = try await setting.device(of: agent)
    }
}
