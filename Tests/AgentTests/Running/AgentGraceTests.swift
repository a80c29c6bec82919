import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PKCS11
import PlatformSSO
import Primitives
import Support
import Testing

/// What was sealed, while the provider is away.
@Suite struct AgentGraceTests {
    private var setting = SignInSetting()
    private let secret = Secret("the key of the disk")

    /// Anna is signed in, and has sealed something.
    private func sealed(
        _ setting: SignInSetting, grace: Int?, relay: Relay = Relay()
    ) async throws -> (Agent, PlayedProvider, JSONObject) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800, grace: grace), relay: relay)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return (agent, provider, try await agent.seal(secret, of: "anna"))
    }

    @Test("Without a grace period nothing opens while the provider is away")
    func none() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: nil)
        #expect(try await agent.unseal(object, of: "anna") == secret)
        provider.goAway()
        let refusal = await #expect(throws: AgentRefusal.self) {
            try await agent.unseal(object, of: "anna")
        }
        #expect(refusal?.code == "unreachable")
    }

    @Test("Within it what was sealed opens, and after it does not, whatever the clock says then")
    func period() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.goAway()
        #expect(try await agent.unseal(object, of: "anna") == secret)
        setting.clock.advance(by: .hours(47))
        await agent.woke()
        #expect(try await agent.unseal(object, of: "anna") == secret)
        setting.clock.advance(by: .hours(2))
        await agent.woke()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
        // Set back to where it would still count: it was erased.
        setting.clock.advance(by: .days(-2))
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
        provider.goAway(false)
        #expect(try await agent.unseal(object, of: "anna") == secret)
    }

    @Test("A clock that is set back grants nothing")
    func setBack() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.goAway()
        setting.clock.advance(by: .hours(47))
        #expect(try await agent.unseal(object, of: "anna") == secret)
        setting.clock.advance(by: .minutes(-4))
        #expect(try await agent.unseal(object, of: "anna") == secret)
        setting.clock.advance(by: .hours(-24))
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
        await agent.woke()
        setting.clock.advance(by: .hours(24))
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
    }

    @Test("Time that passes counts while no client connects, also if the clock does not show it")
    func passingTime() async throws {
        let running = ManualRunningClock()
        var setting = setting
        setting.running = running
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.goAway()
        running.advance(by: .seconds(3 * 86_400))
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
    }

    @Test("A provider that answers with a refusal is not away", arguments: [400, 403, 500, 503])
    func refused(status: Int) async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.answer(status)
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
        provider.goAway()
        #expect(try await agent.unseal(object, of: "anna") == secret)
    }

    @Test("A person who is unknown to the provider has no offline grace period")
    func unknown() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.answer(401)
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
        provider.goAway()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
    }

    @Test(
        "A token that the key service refuses is expired, and the status reports it at once")
    func tokenOver() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.answer(401)
        let refusal = await #expect(throws: AgentRefusal.signedOut) {
            try await agent.unseal(object, of: "anna")
        }
        #expect(refusal?.description.contains("gatehouse-agent sign-in") == true)
        #expect(await agent.status(of: "anna").people.first?.standing == "signed_out")
        provider.answer(nil)
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(try await agent.unseal(object, of: "anna") == secret)
    }

    @Test(
        "Where the token was replaced while the key service was asked, the one in its place opens it"
    )
    func tokenReplaced() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.refuseOnce(at: "/key", with: 401)
        #expect(try await agent.unseal(object, of: "anna") == secret)
        let asked = provider.requests.filter { $0 != "/jwks" }
        #expect(asked.suffix(5) == ["/key", "nonce", "/refresh", "nonce", "/key"])
        #expect(await agent.status(of: "anna").people.first?.standing == "signed_in")
    }

    @Test("A token that the provider refuses at renewal ends what was kept")
    func deadToken() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.answer(401)
        await #expect(throws: AgentRefusal.signedOut) { try await agent.refresh("anna") }
        provider.goAway()
        await #expect(throws: AgentRefusal.signedOut) {
            try await agent.unseal(object, of: "anna")
        }
    }

    @Test(
        "Online, what was changed or sealed elsewhere is called that, and is no fault of the provider"
    )
    func changedOnline() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        var changed = object
        changed["sealed"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 60)))
        await #expect(throws: AgentRefusal.sealedElsewhere) {
            try await agent.unseal(changed, of: "anna")
        }
        provider.answer(400, code: "key_context_refused")
        let refusal = await #expect(throws: AgentRefusal.sealedElsewhere) {
            try await agent.unseal(object, of: "anna")
        }
        #expect(refusal?.description.contains("the provider does not know") == true)
        provider.answer(nil)
        #expect(try await agent.unseal(object, of: "anna") == secret)
        // Nothing of the changed one was kept.
        provider.goAway()
        #expect(try await agent.unseal(object, of: "anna") == secret)
    }

    @Test("What belongs to another, or was changed, opens as little as online")
    func foreign() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.goAway()
        await #expect(throws: AgentRefusal.sealedElsewhere) {
            try await agent.unseal(object, of: "bea")
        }
        var changed = object
        changed["sealed"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 60)))
        await #expect(throws: AgentRefusal.sealedElsewhere) {
            try await agent.unseal(changed, of: "anna")
        }
    }

    @Test("When the profile takes the grace period away, what was kept is erased")
    func removed() async throws {
        let (agent, provider, object) = try await sealed(setting, grace: 2)
        provider.goAway()
        try setting.install(TestProfile(token: "t", frequency: 604_800))
        await agent.reload()
        try setting.install(TestProfile(token: "t", frequency: 604_800, grace: 2))
        await agent.reload()
        await #expect(throws: AgentRefusal.self) { try await agent.unseal(object, of: "anna") }
    }

    @Test("With keys in a file nothing that opens it is ever on the disk")
    func notOnDisk() async throws {
        let (agent, _, _) = try await sealed(setting, grace: 2)
        #expect(await agent.record.people["anna"]?.cachedKeyAgreements == [])
    }

    @Test(
        "With keys on a token it opens after a restart too, for the grace period",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func restart() async throws {
        _ = try await SharedTokens.ready
        var setting = setting
        setting.keys = AgentKeyStore(
            .pkcs11,
            token: TokenKeys(
                module: SoftwareTokens.module, label: SharedTokens.machine,
                pin: Secret(SoftwareTokens.pin)), random: SystemRandomSource())
        let relay = Relay()
        let object = try await {
            let (agent, provider, object) = try await sealed(setting, grace: 2, relay: relay)
            #expect(await agent.record.people["anna"]?.cachedKeyAgreements.count == 1)
            provider.goAway()
            return object
        }()
        let again = try await eventually("the lock is free") { [setting] in
            try await setting.agent(relay)
        }
        #expect(try await again.unseal(object, of: "anna") == secret)
        setting.clock.advance(by: .days(3))
        await again.woke()
        #expect(await again.record.people["anna"]?.cachedKeyAgreements == [])
        await #expect(throws: AgentRefusal.self) { try await again.unseal(object, of: "anna") }
    }
}
