// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Support
import Testing
import UserClient

@Suite("Sign-in with the browser of this machine")
struct BrowserSignInTests {
    let provider: ScriptedProvider
    let redirect = "http://127.0.0.1:5000/callback"

    init() throws { provider = try ScriptedProvider() }

    private func start() async throws -> (signIn: BrowserSignIn, query: [String: String]) {
        let directory = try await provider.client.discover(ScriptedProvider.issuer)
        let signIn = BrowserSignIn(client: provider.client, directory: directory)
        let address = signIn.address(scope: "openid", redirectURI: redirect)
        let query = try #require(address.split(separator: "?").last)
        return (signIn, try #require(CallbackQuery.read(target: "/callback?\(query)")))
    }

    private func answer(_ query: [String: String]) -> [String: String] {
        ["code": "c1", "state": query["state"] ?? "", "iss": ScriptedProvider.issuer]
    }

    @Test("The page that is opened asks for a code with PKCE, and the code is exchanged")
    func exchanges() async throws {
        let (signIn, query) = try await start()
        #expect(query["response_type"] == "code")
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["redirect_uri"] == redirect)
        provider.answerTokens(try provider.tokens(nonce: query["nonce"]))
        let tokens = try await signIn.finish(answer(query), redirectURI: redirect)
        #expect(tokens.accessToken == Secret("a1"))
        #expect(tokens.subject == "s1")
        let form = try #require(provider.forms.last)
        #expect(form["client_id"] == "cli")
        #expect(
            CodeChallenge(query["code_challenge"] ?? "")?.isMet(by: form["code_verifier"] ?? "")
                == true)
    }

    @Test("An answer with another state, or another issuer, or none, is not ours")
    func refusesForeignAnswers() async throws {
        let (signIn, query) = try await start()
        for (name, value) in [
            ("state", "x"), ("state", nil), ("iss", "https://evil.example.com"), ("iss", nil),
        ] {
            var foreign = answer(query)
            foreign[name] = value
            #expect(signIn.isExpected(foreign) == false)
            await #expect(throws: UserClientError.self) {
                try await signIn.finish(foreign, redirectURI: redirect)
            }
        }
        #expect(provider.forms.isEmpty)
    }

    @Test("A refusal comes back as it was said")
    func refusal() async throws {
        let (signIn, query) = try await start()
        var denied = answer(query)
        (denied["code"], denied["error"]) = (nil, "access_denied")
        await #expect(throws: UserClientError.refused(code: "access_denied", description: nil)) {
            try await signIn.finish(denied, redirectURI: redirect)
        }
    }

    @Test("A clock that is an hour off does not prevent a sign-in", arguments: [-3600, 3600])
    func wrongClock(seconds: Int64) async throws {
        let (signIn, query) = try await start()
        provider.answerTokens(try provider.tokens(nonce: query["nonce"]))
        provider.clock.advance(by: .seconds(seconds))
        let tokens = try await signIn.finish(answer(query), redirectURI: redirect)
        #expect(tokens.subject == "s1")
        // Its local lifetime depends on the local clock.
        #expect(tokens.expiresAt == provider.clock.now + .seconds(300))
    }

    @Test(
        "An ID token that is another's, old, or of another sign-in is refused",
        arguments: [
            ("iss", JSONValue.string("https://evil.example.com")), ("aud", "other"),
            ("exp", 1_000), ("nonce", "other"), ("sub", .null),
        ])
    func refusesIDToken(name: String, value: JSONValue) async throws {
        let (signIn, query) = try await start()
        provider.answerTokens(
            try provider.tokens(nonce: query["nonce"], claims: [name: value]))
        await #expect(throws: UserClientError.self) {
            try await signIn.finish(answer(query), redirectURI: redirect)
        }
    }

    @Test("The redirect arrives at a port of loopback, and a foreign one does not end the wait")
    func listens() async throws {
        let directory = try await provider.client.discover(ScriptedProvider.issuer)
        let signIn = BrowserSignIn(client: provider.client, directory: directory)
        let web = WebClient()
        let provider = provider
        let tokens = try await signIn.run(scope: "openid") { address in
            guard let query = address.split(separator: "?").last,
                let sent = CallbackQuery.read(target: "/callback?\(query)"),
                let redirect = sent["redirect_uri"], let state = sent["state"],
                let reply = try? provider.tokens(nonce: sent["nonce"])
            else { return }
            provider.answerTokens(reply)
            let issuer = FormEncoding.encode(ScriptedProvider.issuer)
            let status = { (target: String) in
                try? await web.send("GET", redirect + target).status
            }
            #expect(await status("?code=x&state=wrong&iss=\(issuer)") == 400)
            #expect(await status("?state=\(state)&state=\(state)") == 404)
            #expect(await status("/elsewhere") == 404)
            #expect(await status("?code=c1&state=\(state)&iss=\(issuer)") == 200)
        }
        #expect(tokens.subject == "s1")
    }

    @Test(
        "A redirect that is not to /callback, or repeats a parameter, carries nothing",
        arguments: [
            "/", "/callback", "/callbackx?code=1", "/callback?code=1&code=2", "/callback?=1",
            "/callback?code=%zz", "/callback?code=%00", "/callback?code=%ff", "//callback?code=1",
            "/callback?" + String(repeating: "a=1&", count: 17),
            "/callback?code=" + String(repeating: "x", count: 9000),
        ])
    func refusesTargets(target: String) { #expect(CallbackQuery.read(target: target) == nil) }
}
