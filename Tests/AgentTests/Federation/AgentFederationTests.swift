import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

/// Passwords that go to a federation's token service: there, and nowhere else.
@Suite struct AgentFederationTests {
    private let setting = SignInSetting()

    private static func configuration(_ type: FederationType) throws -> LoginConfiguration {
        var configuration = PlayedProvider.configuration
        configuration.federationType = type
        configuration.federationMEXURL = PlayedTokenService.host + "/mex"
        configuration.federationRequestURN = PlayedTokenService.realm
        configuration.federationUserPreauthenticationURL = PlayedProvider.issuer + "/who"
        configuration.federationPredicate = try ResponsePredicate("federated = TRUE")
        return configuration
    }

    private func machine(
        _ type: FederationType = .wsTrust
    ) async throws -> (Agent, PlayedProvider, PlayedTokenService) {
        let relay = Relay()
        let served = ScriptedExtension(configuration: try Self.configuration(type))
        var profile = TestProfile(token: "t")
        profile.loginPolicy = ["RequireAuthentication"]
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served)
        provider.welcome { credential in
            guard case .saml(.v2, let assertion) = credential else { return false }
            return assertion == Array(PlayedTokenService.assertion.utf8)
        }
        let service = PlayedTokenService(provider: provider)
        relay.use(service)
        return (agent, provider, service)
    }

    private func token(_ agent: Agent) async -> Secret? {
        await agent.record.people["anna"]?.session?.refreshToken
    }

    private func register(_ agent: Agent, _ answers: [String]) async throws {
        try await agent.registerPerson("anna", repair: false, ScriptedConversation(answers))
    }

    @Test("The password goes to the token service, and its assertion to the provider")
    func signsIn() async throws {
        let (agent, provider, service) = try await machine()
        try await register(agent, [PlayedProvider.password])
        #expect(await token(agent) == Secret("r1"))
        #expect(service.told == [PlayedTokenService.host + "/trust/13"])
        let login = try #require(provider.logins.first)
        #expect(login["grant_type"] == "urn:ietf:params:oauth:grant-type:saml2-bearer")
        #expect(login["password"] == nil)
        // Renewing asks the provider alone.
        try await agent.refresh("anna")
        #expect(service.told.count == 1)
    }

    @Test("Attack: an assertion of another person at the provider does not sign in Anna")
    func anotherPerson() async throws {
        let (agent, provider, _) = try await machine()
        try await register(agent, [PlayedProvider.password])
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        }
        try await expectKept(agent, before)
    }

    @Test("Federated people are redirected; the passwords of others are sent to the provider")
    func dynamic() async throws {
        let (agent, provider, service) = try await machine(.dynamicWSTrust)
        try await register(agent, [PlayedProvider.password])
        #expect(service.told == [PlayedTokenService.host + "/trust/13"])
        service.federate(false)
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
        #expect(service.told.count == 1)
        #expect(provider.logins.last?["password"]?.string == PlayedProvider.password)
    }

    @Test("No password is sent if the provider does not report whether the person is federated")
    func unknown() async throws {
        let (agent, provider, service) = try await machine(.dynamicWSTrust)
        service.answerWho(404)
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await register(agent, [PlayedProvider.password])
        }
        #expect(service.told.isEmpty && provider.logins.isEmpty)
    }

    @Test("A password that the token service does not know is asked for again")
    func wrongPassword() async throws {
        let (agent, provider, service) = try await machine()
        let conversation = ScriptedConversation(["wrong", PlayedProvider.password])
        try await agent.registerPerson("anna", repair: false, conversation)
        #expect(conversation.steps.contains(.wrongPassword))
        #expect(provider.logins.count == 1 && service.told.count == 1)
    }

    @Test(
        "No invalid response of a token service signs a person in",
        arguments: PlayedTokenService.Fault.allCases)
    func faults(_ fault: PlayedTokenService.Fault) async throws {
        let (agent, provider, service) = try await machine()
        service.fail(fault)
        let code = [.away, .descriptionAway].contains(fault) ? "unreachable" : "provider_failed"
        await #expect(throws: AgentRefusal(code, "")) {
            try await register(agent, [PlayedProvider.password])
        }
        #expect(await token(agent) == nil)
        #expect(provider.logins.isEmpty)
        #expect(service.told.allSatisfy { $0 == PlayedTokenService.host + "/trust/13" })
        service.fail(nil)
        try await register(agent, [PlayedProvider.password])
        #expect(await token(agent) == Secret("r1"))
    }

    @Test(
        "A description that leads elsewhere is sent no password",
        arguments: [
            PlayedTokenService.Fault.otherHost, .plainEndpoint, .noEndpoint, .notXML,
            .descriptionRedirect, .descriptionAway,
        ])
    func leadsElsewhere(_ fault: PlayedTokenService.Fault) async throws {
        let (agent, _, service) = try await machine()
        service.fail(fault)
        await #expect(throws: AgentRefusal.self) {
            try await register(agent, [PlayedProvider.password])
        }
        #expect(service.told.isEmpty)
        #expect(!service.requests.contains { $0.hasPrefix("https://sts.example.net") })
    }

    @Test("At the login window the word of the token service counts as the provider's")
    func admission() async throws {
        let (agent, _, service) = try await machine()
        try await register(agent, [PlayedProvider.password])
        func admit(_ password: String) async throws -> AdmissionResponse {
            try await agent.admit(
                AdmissionRequest(.login, password: Secret(password), local: .wrong), of: "anna")
        }
        #expect(try await admit(PlayedProvider.password) == .admitted(.provider, until: nil))
        for (fault, password) in [
            (nil, "wrong"), (.redirect, PlayedProvider.password),
            (.otherRealm, PlayedProvider.password),
        ] as [(PlayedTokenService.Fault?, String)] {
            service.fail(fault)
            guard case .refused = try await admit(password) else {
                Issue.record("\(password) at \(fault?.rawValue ?? "a right service")")
                continue
            }
        }
        service.fail(nil)
        #expect(try await admit(PlayedProvider.password) == .admitted(.provider, until: nil))
    }
}
