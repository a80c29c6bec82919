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

/// People whose keys are behind a PIN.
@Suite struct AgentPINTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)
    private let relay = Relay()
    private static let pin = "3141-59"

    private static var profile: TestProfile {
        var profile = TestProfile(token: "t", method: "UserSecureEnclaveKey")
        profile.pin = 6
        return profile
    }

    /// An agent whose extension registers keys of people, as Gatehouse's does: with a proof of the key.
    private func agent(_ profile: TestProfile = profile) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served)
        return (agent, provider)
    }

    private func registerNext(at provider: PlayedProvider) {
        served.answer(user: [.userInterfaceRequired, .success])
        served.next { _ in }
        served.next { manager in
            let key = try await manager.userKey()
            _ = try await manager.sign([1], with: key)
            provider.accept(.secureEnclave(key.publicKey))
        }
    }

    private func registered() async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await agent()
        registerNext(at: provider)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([Self.pin, Self.pin, Self.pin]))
        return (agent, provider)
    }

    private func person(_ agent: Agent) async -> AgentStatus.Person? {
        await agent.status(of: "anna").people.first
    }

    @Test("A PIN that is too short, too easy or mistyped is not taken, and no key is made")
    func notTaken() async throws {
        let (agent, provider) = try await agent()
        registerNext(at: provider)
        let anna = ScriptedConversation(["12345", "111111", Self.pin, "3141-58", Self.pin])
        await #expect(throws: AgentRefusal("registration_failed", "")) {
            try await agent.registerPerson("anna", repair: false, anna)
        }
        #expect(anna.steps.filter { $0 == .weakPIN }.count == 2)
        #expect(anna.steps.contains(.otherPIN))
        #expect(anna.questions.count == 4)
        #expect(await agent.record.people["anna"]?.key == nil)
    }

    /// Waits until anna is told to register.
    private func waiting(_ agent: Agent) async throws {
        try await eventually("anna has to register") {
            await person(agent)?.phase == "waiting" ? true : nil
        }
    }

    @Test("It signs in, and the sign-in asks for it")
    func signsIn() async throws {
        let (agent, _) = try await registered()
        #expect(await person(agent)?.standing == "signed_in")
        #expect(await person(agent)?.pinTries == 8)
        let anna = ScriptedConversation([Self.pin])
        try await agent.signIn("anna", anna)
        #expect(anna.questions == [.secret("PIN of your key:")])
    }

    @Test("A wrong PIN is said to be one, with the tries that are left, three times in all")
    func wrong() async throws {
        let (agent, provider) = try await registered()
        let asked = provider.requests.filter { $0 == "/token" }.count
        let anna = ScriptedConversation(["000001", Self.pin])
        try await agent.signIn("anna", anna)
        #expect(anna.steps.contains(.wrongKeyPIN))
        #expect(anna.questions.last == .secret("PIN of your key (7 tries left):"))
        let other = ScriptedConversation(["1", "2", "3", Self.pin])
        await #expect(throws: AgentRefusal("pin_incorrect", "")) {
            try await agent.signIn("anna", other)
        }
        #expect(other.questions.count == 3)
        #expect(await person(agent)?.pinTries == 5)
        // The provider hears of no wrong PIN.
        #expect(provider.requests.filter { $0 == "/token" }.count == asked + 1)
    }

    @Test("Consumed PIN attempts remain consumed after a restart of the agent")
    func restart() async throws {
        try await {
            let (agent, _) = try await registered()
            _ = try? await agent.signIn("anna", ScriptedConversation(["1", "2", "3"]))
        }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served)
        }
        #expect(await person(again)?.pinTries == 5)
        try await again.signIn("anna", ScriptedConversation([Self.pin]))
        #expect(await person(again)?.pinTries == 8)
    }

    @Test(
        "After eight wrong PINs the key is deleted, and another one can be registered"
    )
    func lockout() async throws {
        let (agent, provider) = try await registered()
        let old = await agent.record.people["anna"]?.key
        served.answer(user: [.userInterfaceRequired])
        for _ in 0..<2 {
            _ = try? await agent.signIn("anna", ScriptedConversation(["1", "2", "3"]))
        }
        await #expect(throws: AgentRefusal("pin_locked", "")) {
            try await agent.signIn("anna", ScriptedConversation(["1", "2", Self.pin]))
        }
        #expect(await agent.record.people["anna"]?.key == nil)
        await #expect(throws: (any Error).self) {
            try await agent.signIn("anna", ScriptedConversation([Self.pin]))
        }
        try await waiting(agent)
        let options: ExtensionRequestOptions = [
            .registrationSharedDeviceKeys, .registrationRepair, .userKeyInvalid,
        ]
        #expect(served.calls.contains(.user("anna@example.com", options)))
        registerNext(at: provider)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation(["2718-28", "2718-28", "2718-28"]))
        #expect(await agent.record.people["anna"]?.key != old)
        #expect(await person(agent)?.standing == "signed_in")
    }

    @Test("Tokens are renewed without the PIN; a full login does not start without a person")
    func renewal() async throws {
        let (agent, provider) = try await registered()
        try await agent.refresh("anna")
        #expect(await agent.record.people["anna"]?.session?.refreshToken == Secret("r2"))
        setting.clock.advance(by: .hours(3))
        let before = provider.requests.count
        await agent.woke()
        #expect(provider.requests.count == before)
        #expect(await person(agent)?.next == "sign_in")
    }

    @Test("Cancelling at the PIN ends the sign-in, and counts no attempt")
    func givenUp() async throws {
        let (agent, _) = try await registered()
        await #expect(throws: PresentationError.cancelled) {
            try await agent.signIn("anna", ScriptedConversation())
        }
        #expect(await person(agent)?.pinTries == 8)
    }

    @Test("A key from before a PIN was asked for is no good any more: another one is registered")
    func demanded() async throws {
        var profile = Self.profile
        profile.pin = nil
        let (agent, provider) = try await agent(profile)
        registerNext(at: provider)
        try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        let old = try #require(await agent.record.people["anna"]?.key)
        #expect(old.guarded == nil)
        #expect(await person(agent)?.pinTries == nil)
        served.answer(user: [.userInterfaceRequired])
        try setting.install(Self.profile)
        await agent.reload()
        try await waiting(agent)
        registerNext(at: provider)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([Self.pin, Self.pin, Self.pin]))
        #expect(await agent.record.people["anna"]?.key?.guarded != nil)
    }

    @Test("A PIN satisfies an extension that requires user presence")
    func biometricPolicy() async throws {
        var configuration = PlayedProvider.configuration
        configuration.userSecureEnclaveKeyBiometricPolicy = .touchIDOrWatchAny
        let served = ScriptedExtension(configuration: configuration)
        var profile = Self.profile
        profile.pin = nil
        let (agent, _) = try await setting.registered(profile, relay: relay, serving: served)
        served.next { manager in
            await #expect(throws: PresentationError.notAllowed) { try await manager.userKey() }
        }
        _ = try? await agent.registerPerson("anna", repair: false, ScriptedConversation())
        #expect(served.calls.count == 2)
    }

    @Test("Neither the PIN nor the key is in the state file in the clear")
    func notInClear() async throws {
        let (agent, _) = try await registered()
        let key = try #require(await agent.record.people["anna"]?.key)
        let store = setting.keys
        await #expect(throws: KeyPINError.needed) { try await store.sign([1], with: key) }
    }
}
