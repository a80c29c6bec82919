import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Support
import Testing
import UserClient

/// People who sign in on a page, whose answer comes to a port of loopback.
@Suite struct AgentWebLoginTests {
    private let setting = SignInSetting()

    private static func configuration(
        _ type: FederationType = .dynamicOpenID
    ) -> LoginConfiguration {
        var configuration = PlayedProvider.configuration
        configuration.federationType = type
        configuration.authorizationURL = PlayedProvider.issuer + "/authorize?scope=profile"
        configuration.authorizationURLKeypath = "authorizationURL"
        configuration.federationUserPreauthenticationURL = PlayedProvider.issuer + "/who"
        return configuration
    }

    /// The provider's half that says where people sign in.
    private struct Discovery: WebTransport {
        var page = PlayedProvider.issuer + "/authorize?state=S&nonce=N"
        var status = 200
        let provider: any WebTransport

        func answer(to request: WebRequest) async throws -> WebResponse {
            guard request.url == PlayedProvider.issuer + "/who?user=anna%40example.com" else {
                return try await provider.answer(to: request)
            }
            let answer: JSONValue = [
                "authorizationURL": .string(page),
                "authorizationRequest": [
                    "client_id": "platform-sso", "nonce": "N", "response_type": "code",
                    "redirect_uri": "com.apple.platformsso://callback", "state": "S",
                    "scope": "openid",
                ],
            ]
            return WebResponse(status: status, body: answer.bytes)
        }
    }

    /// A machine whose profile wants a page, and a provider that lets in who has its code.
    private func machine(
        _ type: FederationType = .dynamicOpenID, method: String = "OpenID",
        hosts: [String] = ["idp.example.com"],
        _ change: (inout Discovery) -> Void = { _ in }
    ) async throws -> (Agent, PlayedProvider) {
        var profile = TestProfile(token: "t", method: method)
        profile.webHosts = hosts
        let relay = Relay()
        let served = ScriptedExtension(configuration: Self.configuration(type))
        let (agent, provider) = try await setting.registered(
            profile, relay: relay, serving: served)
        provider.welcome { credential in
            guard case .webLogin(let callback) = credential else { return false }
            return callback.code == "c1" && callback.redirectURI.hasPrefix("http://127.0.0.1:")
        }
        var discovery = Discovery(provider: provider)
        change(&discovery)
        relay.use(discovery)
        return (agent, provider)
    }

    private func token(_ agent: Agent) async -> Secret? {
        await agent.record.people["anna"]?.session?.refreshToken
    }

    /// Whether the person is signed out, and the provider received no login.
    private func nobody(_ agent: Agent, _ provider: PlayedProvider) async -> Bool {
        await token(agent) == nil && !provider.requests.contains("/token")
    }

    @Test("The device signs the request, the browser posts it, and the code comes back to loopback")
    func signsIn() async throws {
        let (agent, provider) = try await machine()
        let browser = PlayedBrowser.signingIn()
        try await agent.registerPerson("anna", repair: false, browser)
        #expect(await token(agent) == Secret("r1"))
        let request = try #require(browser.requests.first)
        #expect(request.action == PlayedProvider.issuer + "/authorize?state=S&amp;nonce=N")
        guard
            case .authorization(let message) = try UnverifiedRequest(
                compact: try #require(request.message))
        else {
            Issue.record("not an authorization request")
            return
        }
        let verified = try RequestVerifier(
            .init(clientID: "platform-sso", endpoints: [], audience: "platform-sso")
        ).verify(message, device: provider.device, now: setting.clock.now).get()
        #expect(verified.loginHint == "anna@example.com")
        #expect(verified.nonce == "N" && verified.redirectURI == request.redirectURI)
        let login = try #require(provider.logins.first)
        #expect(
            login["subject_token"]?.string?.hasPrefix(request.redirectURI + "?code=c1&state=S")
                == true)
        #expect(login["password"] == nil && login["assertion"] == nil)
        // What follows is as after any login.
        try await agent.refresh("anna")
        #expect(await token(agent) == Secret("r2"))
    }

    @Test("Attack: a sign-in of another person on the page does not sign in Anna")
    func anotherPerson() async throws {
        let (agent, provider) = try await machine()
        try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        let before = await agent.record.people["anna"]?.session
        provider.say(["sub": "s2"])
        await #expect(throws: AgentRefusal.anotherPerson) {
            try await agent.signIn("anna", PlayedBrowser.signingIn())
        }
        try await expectKept(agent, before)
    }

    @Test("A URL in the configuration is opened unchanged, with a new state each time")
    func configured() async throws {
        let (agent, _) = try await machine(.openID)
        let browser = PlayedBrowser.signingIn(issuer: nil)
        try await agent.registerPerson("anna", repair: false, browser)
        try await agent.signIn("anna", browser)
        let requests = browser.requests
        #expect(requests.count == 2 && requests.first?.message == nil)
        #expect(requests.first?.state != requests.last?.state)
        let opened = try #require(requests.first?.action)
        #expect(opened.contains("login_hint=anna%40example.com"))
        #expect(opened.contains("client_id=platform-sso&response_type=code"))
        #expect(opened.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
    }

    @Test("A page replaces the password if the configuration says so")
    func insteadOfPassword() async throws {
        let (agent, provider) = try await machine(method: "Password")
        try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        #expect(await token(agent) == Secret("r1"))
        #expect(provider.logins.allSatisfy { $0["password"] == nil })
    }

    @Test("Answers to others are told so, and the right one still counts")
    func foreign() async throws {
        let (agent, _) = try await machine()
        let browser = PlayedBrowser { request, web in
            let issuer = FormEncoding.encode(PlayedProvider.issuer)
            let other = FormEncoding.encode("https://other.example.com")
            for query in [
                "code=c1&state=other&iss=\(issuer)", "code=c1&iss=\(issuer)",
                "code=c1&state=\(request.state)&iss=\(other)",
            ] {
                let answer = try await web.send("GET", request.redirectURI + "?" + query)
                #expect(answer.status == 400)
            }
            _ = try await web.send(
                "GET", request.redirectURI + "?code=c1&state=\(request.state)&iss=\(issuer)")
        }
        try await agent.registerPerson("anna", repair: false, browser)
        #expect(await token(agent) == Secret("r1"))
    }

    @Test(
        "A response without a code, or with an error, gives no sign-in",
        arguments: ["code=", "error=access_denied", "error=server_error", "nothing=1"])
    func withoutCode(_ query: String) async throws {
        let (agent, provider) = try await machine()
        let browser = PlayedBrowser { request, web in
            _ = try await web.send("GET", "\(request.redirectURI)?\(query)&state=\(request.state)")
        }
        await #expect(throws: (any Error).self) {
            try await agent.registerPerson("anna", repair: false, browser)
        }
        #expect(await nobody(agent, provider))
    }

    @Test(
        "A login response with another nonce, issuer, key or audience is refused",
        arguments: [
            PlayedProvider.Fault.anotherNonce, .anotherIssuer, .foreignSignature, .unsigned,
            .anotherAudience, .expired,
        ])
    func faults(_ fault: PlayedProvider.Fault) async throws {
        let (agent, provider) = try await machine()
        provider.fail(fault)
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        }
        #expect(await token(agent) == nil)
    }

    @Test("A code that the provider does not take is not asked for again and again")
    func refusedCode() async throws {
        let (agent, provider) = try await machine()
        provider.welcome { _ in false }
        await #expect(throws: AgentRefusal("wrong_credential", "")) {
            try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        }
        #expect(provider.logins.count == 1)
    }

    @Test("Disconnecting while the page is open cancels the sign-in")
    func gone() async throws {
        let (agent, provider) = try await machine()
        let browser = PlayedBrowser(leaving: true) { _, _ in }
        await #expect(throws: PresentationError.cancelled) {
            try await agent.registerPerson("anna", repair: false, browser)
        }
        #expect(await nobody(agent, provider))
        // Nothing is left under way.
        try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        #expect(await token(agent) == Secret("r1"))
    }

    @Test("A page that is not finished in time cancels the sign-in")
    func timedOut() async throws {
        let keys = setting.keys
        let (signing, encryption) = (
            try await keys.makeSigningKey(), try await keys.makeAgreementKey()
        )
        let web = Discovery(provider: NoProvider())
        let client = ProviderClient(
            exchange: ProviderExchange(
                web: web, clock: setting.clock, random: SystemRandomSource()),
            configuration: Self.configuration(), keys: keys, signing: signing,
            encryption: encryption)
        let page = WebLogin(
            client, UserLoginConfiguration(loginUserName: "anna@example.com"), .dynamicOpenID)
        await #expect(throws: PresentationError.cancelled) {
            _ = try await page.run(PlayedBrowser { _, _ in }, patience: .milliseconds(1))
        }
    }

    @Test(
        "A page in the open, at a host that the profile does not name, or that is not said, is not opened",
        arguments: ["http://idp.example.com/a?state=S", "https://other.example.com/a?state=S", ""])
    func page(_ address: String) async throws {
        let (agent, provider) = try await machine { $0.page = address }
        let browser = PlayedBrowser.signingIn()
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.registerPerson("anna", repair: false, browser)
        }
        #expect(browser.requests.isEmpty)
        #expect(await nobody(agent, provider))
    }

    @Test("A provider that does not say where people sign in is asked for nothing else")
    func noDiscovery() async throws {
        let (agent, provider) = try await machine { $0.status = 404 }
        await #expect(throws: AgentRefusal("provider_failed", "")) {
            try await agent.registerPerson("anna", repair: false, PlayedBrowser.signingIn())
        }
        #expect(await nobody(agent, provider))
    }

    @Test("Where the profile wants a page and the configuration has none, no password is asked for")
    func noPage() async throws {
        let (agent, provider) = try await machine(.none)
        let conversation = ScriptedConversation([PlayedProvider.password])
        await #expect(throws: AgentRefusal.noPage) {
            try await agent.registerPerson("anna", repair: false, conversation)
        }
        #expect(conversation.questions.isEmpty)
        #expect(await nobody(agent, provider))
    }
}
