// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Testing

@Suite("The web login of macOS 27")
struct WebLoginTests {
    private let parties = TestParties()

    private func start() throws -> WebLoginStart {
        let body =
            #"{"url":"https://id.example.com/authorize?state=S&nonce=N","authorizationRequest":{"#
            + #""client_id":"aaff1524-fa35-40c5-94e3-2b233c5f2965","nonce":"N","redirect_uri":"https://x","#
            + #""response_type":"code","scope":"openid profile","state":"S"}}"#
        return try WebLoginStart(discovery: Array(body.utf8), keyPath: "url")
    }

    private func verify(
        _ message: [UInt8]
    ) -> Result<VerifiedAuthorizationRequest, PlatformSSORefusal> {
        do {
            guard case .authorization(let request) = try UnverifiedRequest(compact: message) else {
                return .failure(PlatformSSORefusal(.typeMismatch, "another request"))
            }
            return RequestVerifier(parties.expectation).verify(
                request, device: parties.device, now: TestParties.now)
        } catch { return .failure(error) }
    }

    @Test("The address: redirect and person are set, the scope is added to, the rest stays")
    func address() throws {
        let start = try WebLoginStart(
            authorizationURL:
                "https://id.example.com/authorize?state=S&redirect_uri=https%3A%2F%2Fevil&login_hint=b&scope=openid%20mail"
        )
        let url = parties.context().authorizationURL(start)
        #expect(
            url == "https://id.example.com/authorize?state=S"
                + "&redirect_uri=com.apple.platformsso%3A%2F%2Fcallback&login_hint=anna"
                + "&scope=openid%20mail%20offline_access%20urn%3Aapple%3Aplatformsso"
                + "%20urn%3Aapple%3Aplatformsso%3Aauth%3Alogin")
    }

    @Test("A signed request, from the discovery answer to the provider")
    func signedRequest() throws {
        let draft = try #require(try parties.context().authorization(start()))
        #expect(draft.header["typ"] == "platformsso-authorization-request+jwt")
        let request = try verify(parties.sign(draft)).get()
        #expect(request.state == "S" && request.nonce == "N" && request.loginHint == "anna")
        #expect(request.scope.contains("profile") && request.scope.contains("offline_access"))
        #expect(AuthorizationScope.named(in: request.scope) == .login)
        #expect(request.signingKeyID == KeyIdentifier(parties.deviceSigning.publicKey))
    }

    @Test("A signed request that is changed: redirect, client, answer, state, nonce, times, signer")
    func signedRequestRefused() throws {
        let draft = try #require(try parties.context().authorization(start()))
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("redirect_uri", "https://evil.example", .redirectMismatch),
            ("redirect_uri", nil, .redirectMismatch), ("client_id", "other", .clientMismatch),
            ("response_type", "token", .grantUnsupported), ("state", nil, .claimMissing),
            ("nonce", nil, .claimMissing), ("scope", "profile", .scopeMalformed),
            ("exp", 1, .claimMissing), ("login_hint", "", .claimMalformed),
        ]
        for (name, value, expected) in changes {
            let altered = parties.altered(draft) { $0[name] = value }
            #expect(code(verify(try parties.sign(altered))) == expected)
        }
        let old = parties.altered(draft) {
            $0["iat"] = 1000
            $0["exp"] = 1300
        }
        #expect(code(verify(try parties.sign(old))) == .expired)
        #expect(code(verify(try parties.sign(draft, parties.stranger))) == .signatureInvalid)
    }

    @Test("A browser may end at Apple's address or at a port of the machine, as the device signs")
    func redirects() throws {
        let port = "http://127.0.0.1:49152/callback"
        for address in [WebLoginCallback.address, port, "http://[::1]:1/callback"] {
            let draft = try #require(
                try parties.context().authorization(start(), redirectURI: address))
            #expect(try verify(parties.sign(draft)).get().redirectURI == address)
            let callback = try WebLoginCallback(address + "?code=C&state=S&iss=https%3A%2F%2Fi")
            #expect(callback.redirectURI == address && callback.issuer == "https://i")
        }
        #expect(
            parties.context().authorizationURL(try start(), redirectURI: port)
                .contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fcallback"))
    }

    @Test(
        "Nor anywhere else",
        arguments: [
            "http://localhost:1/callback", "https://127.0.0.1:1/callback",
            "http://127.0.0.1.example.com/callback", "http://127.0.0.1:1/other",
            "http://127.0.0.1:1/callback/", "http://evil@127.0.0.1/callback",
            "com.apple.platformsso://callback2", "http://192.0.2.1/callback", "",
        ])
    func foreignRedirects(_ address: String) throws {
        let draft = try #require(
            try parties.context().authorization(start(), redirectURI: address))
        #expect(code(verify(try parties.sign(draft))) == .redirectMismatch)
        #expect(
            code { _ = try WebLoginCallback(address + "?code=C&state=S") } == .callbackMalformed)
    }

    @Test("A configured URL gets a new state, and the parameters that make it a request")
    func configured() throws {
        let start = try WebLoginStart(
            configured: "https://id.example.com/a?state=old&client_id=theirs&x=1",
            clientID: "ours", state: "new")
        #expect(start.state == "new" && start.request == nil)
        #expect(
            start.authorizationURL
                == "https://id.example.com/a?client_id=theirs&x=1&response_type=code&state=new")
        let bare = try WebLoginStart(
            configured: "https://id.example.com/a", clientID: "ours", state: "new")
        #expect(
            bare.authorizationURL
                == "https://id.example.com/a?client_id=ours&response_type=code&state=new")
        #expect(
            code {
                _ = try WebLoginStart(
                    configured: "http://id.example.com/a", clientID: "c", state: "s")
            } == .redirectMismatch)
        _ = try WebLoginStart(
            configured: "http://localhost:8080/a", clientID: "c", state: "s")
    }

    @Test(
        "A page replaces a password if it is the type, or a page if it is the fallback")
    func types() {
        var configuration = parties.configuration
        #expect(configuration.webLoginType(isPage: true) == .none)
        configuration.fallbackFederationType = .openID
        #expect(configuration.webLoginType(isPage: false) == .none)
        #expect(configuration.webLoginType(isPage: true) == .openID)
        configuration.federationType = .dynamicOpenID
        #expect(configuration.webLoginType(isPage: false) == .dynamicOpenID)
        configuration.federationType = .wsTrust
        #expect(configuration.webLoginType(isPage: false) == .none)
    }

    @Test("The URL contains the login hint, with the additions of the configuration")
    func preauthentication() {
        var configuration = parties.configuration
        #expect(configuration.preauthenticationURL(user: "anna") == nil)
        configuration.federationUserPreauthenticationURL = "https://id.example.com/who"
        #expect(
            configuration.preauthenticationURL(user: "a&b=c@d")
                == "https://id.example.com/who?user=a%26b%3Dc%40d")
        configuration.federationUserPreauthenticationURL = "https://id.example.com/who?v=1"
        configuration.customFederationUserPreauthenticationRequestValues = [FormField("x", "y")]
        #expect(
            configuration.preauthenticationURL(user: "anna")
                == "https://id.example.com/who?v=1&user=anna&x=y")
    }

    @Test("No request to sign without a discovery answer")
    func unsigned() throws {
        let start = try WebLoginStart(authorizationURL: "https://id.example.com/a?state=S")
        #expect(try parties.context().authorization(start) == nil)
    }

    @Test(
        "Addresses that no login starts at",
        arguments: [
            ("http://id.example.com/a?state=S", PlatformSSORefusal.Code.redirectMismatch),
            ("javascript:alert(1)", .redirectMismatch), ("https://a/?state=S#f", .redirectMismatch),
            ("https://a/", .claimMissing), ("https://a/?state=", .claimMissing),
        ])
    func addresses(_ url: String, _ expected: PlatformSSORefusal.Code) {
        #expect(code { _ = try WebLoginStart(authorizationURL: url) } == expected)
    }

    @Test("The callback must carry the state of the request")
    func state() throws {
        let callback = try WebLoginCallback("com.apple.platformsso://callback?code=C&state=S")
        #expect(code { try callback.check(state: "S") } == nil)
        #expect(code { try callback.check(state: "s") } == .stateMismatch)
        #expect(code { try callback.check(state: "") } == .stateMismatch)
    }

    @Test("Every purpose has its scope; one that came later is none that we know")
    func purposes() {
        for purpose in AuthorizationScope.allCases {
            let scope = ScopeSet(["openid", purpose.scope])
            #expect(AuthorizationScope.named(in: scope) == purpose)
        }
        let later = ScopeSet(["openid", "urn:apple:platformsso:auth:later"])
        #expect(AuthorizationScope.named(in: later) == nil)
    }

    @Test("The purpose is named in every request when the configuration says so")
    func includedPurpose() throws {
        var configuration = parties.configuration
        configuration.includePlatformSSOAuthorizationScopes = true
        configuration.additionalAuthorizationScopes = "admin"
        var context = parties.context(configuration)
        context.purpose = .unlock
        context.isAuthorization = true
        let draft = try context.login(.password(Secret("x")), random: parties.random)
        #expect(
            draft.claims["scope"]
                == "openid offline_access urn:apple:platformsso admin urn:apple:platformsso:auth:unlock"
        )
        #expect(try parties.verify(parties.sign(draft)).get().purpose == .unlock)
    }
}
