import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// When an account may become another person: never by what a provider answers.
@Suite struct AgentNewPersonTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)

    /// Saves another username in each call.
    private struct Renaming: AnsweringExtension {
        let registration: ScriptedExtension

        func authorize(
            _ request: ExtensionAuthorizationRequest, _ manager: any ExtensionLoginManager
        ) async -> ExtensionAuthorizationResponse {
            do { try await manager.saveLoginUserName("bea@example.com") } catch {
                return .notHandled
            }
            return .completed
        }
    }

    private func signedIn() async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t"), serving: served)
        try await register(agent)
        return (agent, provider)
    }

    private func register(_ agent: Agent, repair: Bool = false) async throws {
        try await agent.registerPerson(
            "anna", repair: repair, ScriptedConversation([PlayedProvider.password]))
    }

    private func subject(_ agent: Agent) async -> String? {
        await agent.record.people["anna"]?.identity?.subject
    }

    @Test("After unregistration another person can register the account")
    func unregistered() async throws {
        let (agent, provider) = try await signedIn()
        provider.say(["sub": "s2"])
        try await agent.unregisterPerson("anna", localOnly: true)
        try await register(agent)
        #expect(await subject(agent) == "s2")
    }

    @Test("Attack: a repair does not change the person")
    func repair() async throws {
        let (agent, provider) = try await signedIn()
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await register(agent, repair: true)
        }
        #expect(await subject(agent) == "s1")
    }

    @Test("Attack: a device that registers again after a revocation does not change the person")
    func revoked() async throws {
        let (agent, provider) = try await signedIn()
        provider.forget()
        await #expect(throws: AgentRefusal.self) { try await agent.refresh("anna") }
        provider.forget(false)
        try await eventually("it registers anew") {
            await agent.record.registrations.people["anna"]?.phase == .signingIn ? true : nil
        }
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        #expect(await subject(agent) == "s1")
    }

    @Test("A registration under another name starts without data of the previous person")
    func renamed() async throws {
        let (agent, provider) = try await signedIn()
        served.next { manager in try await manager.saveLoginUserName("bea@example.com") }
        provider.say(["sub": "s2"])
        // What the extension saves last counts; both are another name than the one before it.
        try await register(agent, repair: true)
        #expect(await subject(agent) == "s2")
    }

    @Test("Outside of a registration another name must be of the same person")
    func renamedOutside() async throws {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t"), serving: Renaming(registration: served))
        try await register(agent)
        let answer = await agent.authorize(
            AppRequest(url: "https://idp.example.com/files"), by: "/usr/bin/app", of: "anna",
            ScriptedConversation())
        #expect(answer == .completed)
        #expect(await agent.record.people["anna"]?.loginUserName == "bea@example.com")
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) { try await agent.refresh("anna") }
        #expect(await subject(agent) == "s1")
    }

    @Test("Another provider gets no token of the one before, and names people itself")
    func otherProvider() async throws {
        let (agent, _) = try await signedIn()
        let person = try await moved(agent)
        #expect(person.identity == nil && person.session == nil && person.tokens == nil)
    }

    @Test("Another provider gets no token of a person whose subject is unknown")
    func otherProviderOfUnnamed() async throws {
        let relay = Relay()
        do {
            let (agent, _) = try await setting.registered(
                TestProfile(token: "t"), relay: relay, serving: served)
            try await register(agent)
        }
        try await forgetWho()
        let agent = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served)
        }
        #expect(await agent.record.people["anna"]?.session != nil)
        let person = try await moved(agent)
        #expect(person.session == nil && person.tokens == nil)
    }

    /// Anna, when the machine was given to another provider, at which it is not registered yet.
    private func moved(_ agent: Agent) async throws -> PersonRecord {
        let other = "https://other.example.com"
        served.next { manager in
            try await manager.saveLoginConfiguration(
                LoginConfiguration(
                    clientID: "platform-sso", issuer: other, tokenEndpointURL: other + "/token",
                    jwksEndpointURL: other + "/jwks"))
        }
        served.answer(device: [.failed])
        await #expect(throws: AgentRefusal.self) {
            try await agent.registerDevice(by: "root", repair: true, ScriptedConversation())
        }
        return try #require(await agent.record.people["anna"])
    }

    /// Restores the state of an agent that did not store identities.
    private func forgetWho() async throws {
        let (folder, keys) = (setting.folder.path("state"), setting.keys)
        let file = try await eventually("the lock is free") {
            try await blocking {
                try StateFile(folder: folder, keys: keys, random: SystemRandomSource())
            }
        }
        try await blocking {
            var record = try #require(try file.load())
            record.people["anna"]?.identity = nil
            try file.save(record)
        }
    }

    @Test("A late response for a previous name does not identify a person without a subject")
    func renamedBeforeFirstLogin() async throws {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t"), serving: Renaming(registration: served))
        await #expect(throws: PresentationError.cancelled) {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        provider.meanwhile("/token") {
            let answer = await agent.authorize(
                AppRequest(url: "https://idp.example.com/files"), by: "/usr/bin/app", of: "anna",
                ScriptedConversation())
            #expect(answer == .completed)
        }
        await #expect(throws: AgentRefusal.self) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        #expect(await subject(agent) == nil)
        #expect(await agent.record.people["anna"]?.session == nil)
    }

    @Test("The same provider in a new configuration leaves people signed in")
    func sameProvider() async throws {
        let (agent, _) = try await signedIn()
        let before = await agent.record.people["anna"]?.session
        served.answer(device: [.failed])
        served.next { manager in
            try await manager.saveLoginConfiguration(PlayedProvider.configuration)
        }
        await #expect(throws: AgentRefusal.self) {
            try await agent.registerDevice(by: "root", repair: true, ScriptedConversation())
        }
        #expect(await agent.record.people["anna"]?.session == before)
        #expect(await subject(agent) == "s1")
    }
}
