// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Support
import Testing

@Suite("OAuth messages")
struct MessageTests {
    // RFC 7636 appendix B
    @Test("PKCE: the example of RFC 7636")
    func pkce() throws {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        #expect(CodeChallenge.s256(of: verifier) == challenge)
        let sent = try #require(CodeChallenge(challenge))
        #expect(sent.isMet(by: verifier))
        for wrong in ["", challenge, verifier + "x", String(verifier.dropLast()), verifier + " "] {
            #expect(!sent.isMet(by: wrong))
        }
    }

    @Test(
        "challenges that are no SHA-256",
        arguments: [
            "", "a", String(repeating: "a", count: 42), String(repeating: "a", count: 44),
            String(repeating: "=", count: 43), String(repeating: "b", count: 43),
        ])
    func badChallenge(text: String) { #expect(CodeChallenge(text) == nil) }

    @Test("scope: order kept, doubles dropped, compared as sets")
    func scope() throws {
        let scope = try #require(ScopeSet(" b  a b "))
        #expect(scope.text == "b a")
        #expect(scope == ScopeSet("a b"))
        #expect(ScopeSet("")?.isEmpty == true)
        #expect(scope.intersection(ScopeSet(["a"])).text == "a")
        #expect(!scope.isSubset(of: ScopeSet(["a"])))
    }

    @Test(
        "scope characters that are not allowed",
        arguments: ["a\"b", "a\\b", "ü", "a\u{7f}", "a\tb"])
    func badScope(text: String) { #expect(ScopeSet(text) == nil) }

    @Test("more than 64 scopes are refused")
    func manyScopes() {
        #expect(ScopeSet((0..<65).map { "s\($0)" }.joined(separator: " ")) == nil)
    }

    @Test("user codes: eight consonants, freely spelled, nothing else")
    func userCode() throws {
        let random = SeededRandom(seed: 3)
        for _ in 0..<50 {
            let code = UserCode.make(random: random)
            #expect(code.utf8.count == 8)
            #expect(UserCode.normalize(UserCode.display(code).lowercased()) == code)
        }
        for text in [
            "", "BCDF", "BCDF-GHJA", "BCDFGHJKL", "BCDF-GHJ1", "БCDF-GHJK",
            String(repeating: "-", count: 40),
        ] {
            #expect(UserCode.normalize(text) == nil)
        }
    }

    @Test("prompt: none must be the only value")
    func prompt() {
        #expect(Prompt.parse("") == [])
        #expect(Prompt.parse("login consent") == [.login, .consent])
        #expect(Prompt.parse("none") == [Prompt.none])
        for text in ["none login", "x", "NONE", "login,consent"] {
            #expect(Prompt.parse(text) == nil)
        }
    }

    @Test("token requests: what is missing is named")
    func tokenRequest() throws {
        #expect(throws: TokenRequest.ParseError.missing("grant_type")) {
            try TokenRequest(form: [:])
        }
        #expect(throws: TokenRequest.ParseError.missing("code")) {
            try TokenRequest(form: ["grant_type": "authorization_code", "code": ""])
        }
        #expect(throws: TokenRequest.ParseError.missing("refresh_token")) {
            try TokenRequest(form: ["grant_type": "refresh_token"])
        }
        #expect(throws: TokenRequest.ParseError.unsupportedGrantType) {
            try TokenRequest(form: ["grant_type": "password"])
        }
        #expect(
            try TokenRequest(form: ["grant_type": "client_credentials", "scope": "a"])
                == .clientCredentials(scope: "a"))
    }

    @Test("a client is named in one way")
    func presentedClient() throws {
        let header = "Basic " + Base64.encode(Array("a%3Ab:c%20d".utf8))
        let client = try PresentedClient.read(authorization: header, form: [:])
        #expect(client.clientID == "a:b")
        guard case .secret(let secret) = client.proof else {
            Issue.record("no secret")
            return
        }
        #expect(secret.reveal() == Array("c d".utf8))
        #expect(throws: PresentedClient.ParseError.self) {
            try PresentedClient.read(authorization: header, form: ["client_secret": "x"])
        }
        #expect(throws: PresentedClient.ParseError.self) {
            try PresentedClient.read(authorization: nil, form: [:])
        }
        #expect(throws: PresentedClient.ParseError.self) {
            try PresentedClient.read(authorization: nil, form: ["client_assertion": "a.b.c"])
        }
    }

    @Test("authorization responses always say who answers")
    func response() throws {
        let uri = try #require(RedirectURI("https://example.com/cb?x=1"))
        let error = AuthorizationResponse(
            error: "access_denied", description: "a & b", state: nil, issuer: "https://op",
            to: uri, mode: .query)
        #expect(
            error.location == "https://example.com/cb?x=1&error=access_denied"
                + "&error_description=a%20%26%20b&iss=https%3A%2F%2Fop")
        let code = AuthorizationResponse(
            code: "c", state: "s", issuer: "https://op", to: uri, mode: .fragment)
        #expect(
            code.location == "https://example.com/cb?x=1#code=c&state=s&iss=https%3A%2F%2Fop")
    }
}
