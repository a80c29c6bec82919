// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// What must not work at the token endpoint.
@Suite("Attacks on codes and refresh tokens")
struct TokenAttackTests {
    @Test("Attack 1: a code of client A in the hands of client B, confidential or public")
    func foreignCode() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("app") { $0.metadata.tokenEndpointAuthMethod = "none" }
        let code = try await house.code(cookie: try await house.signIn().cookie)
        let confidential = try await house.redeem(code, by: "wiki")
        #expect(try house.error(confidential) == "invalid_grant")
        let viaPublic = try await house.post(
            "/token",
            [
                "grant_type": "authorization_code", "code": code, "client_id": "app",
                "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
            ])
        #expect(try house.error(viaPublic) == "invalid_grant")
        #expect(try await house.redeem(code).status == .ok)
    }

    @Test("Attack 2: of concurrent redemptions of one code exactly one succeeds")
    func concurrentCodes() async throws {
        let house = try await OAuthHouse()
        let code = try await house.code(cookie: try await house.signIn().cookie)
        let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await house.redeem(code).status == .ok }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }

    @Test("codereuse: the second use is invalid_grant, and the first tokens are dead")
    func codeReuse() async throws {
        let house = try await OAuthHouse()
        let code = try await house.code(
            cookie: try await house.signIn().cookie, ["scope": "openid offline_access"])
        let tokens = try house.json(try await house.redeem(code))
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await house.isActive(access))
        house.clock.advance(by: .seconds(30))
        #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
        #expect(try await !house.isActive(access))
        #expect(try await house.userInfo(access).status == .unauthorized)
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
    }

    @Test("a code is dead after its lifetime")
    func expiredCode() async throws {
        let house = try await OAuthHouse()
        let code = try await house.code(cookie: try await house.signIn().cookie)
        house.clock.advance(by: .seconds(61))
        #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
    }

    @Test("Attack 3: every single-use value is valid in its own context only")
    func crossedPurposes() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie)
        let handle = try #require(
            try OAuthHouse.Answer(try await house.get("/authorize", house.request()))
                .parameters["continue"])
        let device = try house.json(
            try await house.post(
                "/device_authorization", ["scope": "openid"], headers: OAuthHouse.basic("shop")))
        let deviceCode = try #require(device["device_code"]?.string)
        let userCode = try #require(device["user_code"]?.string)
        let refresh = try #require(try await house.tokens()["refresh_token"]?.string)
        for wrong in [handle, deviceCode, userCode, refresh, cookie] {
            #expect(try house.error(try await house.redeem(wrong)) == "invalid_grant")
        }
        for wrong in [handle, code, userCode, refresh] {
            let answer = try await house.post(
                "/token",
                ["grant_type": TokenRequest.deviceCodeGrantType, "device_code": wrong],
                headers: OAuthHouse.basic("shop"))
            #expect(try house.error(answer) == "invalid_grant")
        }
        for wrong in [handle, code, deviceCode, userCode] {
            #expect(try house.error(try await house.refresh(wrong)) == "invalid_grant")
        }
        let step = try await AuthorizationEndpoint(house.provider).resume(
            handle: code, tenant: house.tenant, facts: house.facts, signedIn: nil)
        guard case .page = step else {
            Issue.record("a code was taken for a handle")
            return
        }
    }

    @Test(
        "Attack 4: verifier missing, empty, wrong, plain, or sent where no challenge was",
        arguments: [
            nil, "", "x", String(repeating: "a", count: 43),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", String(repeating: "a", count: 129),
        ])
    func wrongVerifier(verifier: String?) async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie)
        #expect(
            try house.error(try await house.redeem(code, ["code_verifier": verifier]))
                == "invalid_grant")
        let bare = try await house.code(
            cookie: cookie, ["code_challenge": nil, "code_challenge_method": nil])
        if verifier != nil {
            #expect(
                try house.error(try await house.redeem(bare, ["code_verifier": verifier]))
                    == "invalid_grant")
        }
    }

    @Test(
        "Attack 4: plain, unknown or unreadable challenges are refused",
        arguments: [
            ["code_challenge_method": "plain"], ["code_challenge_method": nil],
            ["code_challenge_method": "s256"], ["code_challenge": nil],
            ["code_challenge": "short"], ["code_challenge": ""],
            ["code_challenge": String(repeating: "!", count: 43)],
        ] as [[String: String?]])
    func badChallenge(change: [String: String?]) async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", change)))
        #expect(answer.parameters["error"] == "invalid_request")
    }

    @Test("a public client must use PKCE")
    func publicWithoutPKCE() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("app") { $0.metadata.tokenEndpointAuthMethod = "none" }
        let answer = try OAuthHouse.Answer(
            try await house.get(
                "/authorize",
                house.request("app", ["code_challenge": nil, "code_challenge_method": nil])))
        #expect(answer.parameters["error"] == "invalid_request")
    }

    @Test("redirect_uri at the token endpoint must be that of the request")
    func redirectURIMismatch() async throws {
        let house = try await OAuthHouse()
        let code = try await house.code(cookie: try await house.signIn().cookie)
        for uri in [nil, "https://shop.example.com/other", OAuthHouse.redirectURI + "/"] {
            #expect(
                try house.error(try await house.redeem(code, ["redirect_uri": uri]))
                    == "invalid_grant")
        }
    }

    @Test("Attack 10: a rotated token after the grace revokes the family, here and on another node")
    func refreshReuse() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let first = try #require(tokens["refresh_token"]?.string)
        let second = try #require(
            try house.json(try await house.refresh(first))["refresh_token"]?.string)
        house.clock.advance(by: .seconds(11))
        // Another process with the same store and master key has the same state.
        let other = Provider(
            issuer: OAuthHouse.issuer, store: house.provider.store,
            secrets: house.provider.secrets, clock: house.clock, random: house.random,
            passwords: house.provider.passwords, mail: nil, log: house.provider.log)
        let client = try PresentedClient.read(
            authorization: OAuthHouse.basic("shop")[.authorization], form: [:])
        let reuse = try await TokenEndpoint(other).respond(
            to: .refreshToken(token: first, scope: nil), from: client, tenant: house.tenant,
            facts: house.facts)
        guard case .failure(let refusal) = reuse else {
            Issue.record("reuse worked")
            return
        }
        #expect(refusal.code == "invalid_grant")
        #expect(try house.error(try await house.refresh(second)) == "invalid_grant")
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await !house.isActive(access))
    }

    @Test("within the grace the same successor is given once more")
    func refreshGrace() async throws {
        let house = try await OAuthHouse()
        let first = try #require(try await house.tokens()["refresh_token"]?.string)
        let once = try house.json(try await house.refresh(first))
        house.clock.advance(by: .seconds(5))
        let again = try house.json(try await house.refresh(first))
        #expect(once["refresh_token"] == again["refresh_token"])
        let successor = try #require(again["refresh_token"]?.string)
        #expect(try await house.refresh(successor).status == .ok)
    }

    @Test("concurrent refreshes with one token all get the same successor")
    func concurrentRefreshes() async throws {
        let house = try await OAuthHouse()
        let token = try #require(try await house.tokens()["refresh_token"]?.string)
        let successors = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try house.json(try await house.refresh(token))["refresh_token"]?.string
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(successors.count == 1 && !successors.contains(nil))
    }

    @Test("Attack 11: refresh by another client, in another project, with wider scope: refused")
    func refreshBinding() async throws {
        let house = try await OAuthHouse()
        let other = try await house.addProject("other")
        try await house.addClient("shop", in: other)
        let token = try #require(try await house.tokens()["refresh_token"]?.string)
        #expect(try house.error(try await house.refresh(token, by: "wiki")) == "invalid_grant")
        let elsewhere = try await house.post(
            "/p/other/token", ["grant_type": "refresh_token", "refresh_token": token],
            headers: OAuthHouse.basic("shop"))
        #expect(try house.error(elsewhere) == "invalid_grant")
        for scope in ["openid email", "orders:write", "", "openid profile offline_access x"] {
            #expect(
                try house.error(try await house.refresh(token, scope: scope)) == "invalid_scope",
                "\(scope)")
        }
        let narrowed = try house.json(try await house.refresh(token, scope: "openid"))
        #expect(narrowed["scope"]?.string == "openid")
    }

    @Test("a client that may ask for less today gets less from an old grant")
    func narrowedClient() async throws {
        let house = try await OAuthHouse()
        let token = try #require(try await house.tokens()["refresh_token"]?.string)
        try await house.change(client: "shop") { $0.metadata.scope = "openid offline_access" }
        let answer = try house.json(try await house.refresh(token))
        #expect(answer["scope"]?.string == "openid offline_access")
    }

    @Test("made-up and damaged refresh tokens are refused")
    func forgedRefresh() async throws {
        let house = try await OAuthHouse()
        let token = try #require(try await house.tokens()["refresh_token"]?.string)
        var damaged = Array(token.utf8)
        for index in stride(from: 3, to: damaged.count, by: 7) {
            let letter = damaged[index]
            damaged[index] = letter == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: damaged, as: UTF8.self)
            #expect(try house.error(try await house.refresh(text)) == "invalid_grant")
            damaged[index] = letter
        }
        for text in ["gr.", "gr.AAAA", token + "A", String(token.dropLast()), "GR" + token] {
            #expect(try house.error(try await house.refresh(text)) == "invalid_grant")
        }
        #expect(try await house.refresh(token).status == .ok)
    }

    @Test("Attack 33: a disabled client gets nothing: code, refresh, client credentials, device")
    func disabledClient() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie)
        let tokens = try await house.tokens(cookie: cookie)
        let refresh = try #require(tokens["refresh_token"]?.string)
        try await house.change(client: "shop") { $0.disabled = true }
        #expect(try house.error(try await house.redeem(code)) == "invalid_client")
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_client")
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await !house.isActive(access, for: "wiki"))
        #expect(try await house.userInfo(access).status == .unauthorized)
        for (path, form) in [
            ("/token", ["grant_type": "client_credentials"]),
            ("/device_authorization", ["scope": "openid"]),
        ] {
            let answer = try await house.post(path, form, headers: OAuthHouse.basic("shop"))
            #expect(try house.error(answer) == "invalid_client")
        }
    }

    @Test("Attack 33: a disabled person gets nothing: code, refresh, userinfo, introspection")
    func disabledPerson() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie)
        let tokens = try await house.tokens(cookie: cookie)
        var anna = house.anna
        anna.disabled = true
        #expect(try await house.provider.store.people.update(anna, now: house.clock.now))
        #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await !house.isActive(access))
        #expect(try await house.userInfo(access).status == .unauthorized)
        let again = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request(), cookie: cookie))
        #expect(again.address == "/sign-in")
    }

    @Test("a code does not survive the sign-out of its session")
    func codeAfterSignOut() async throws {
        let house = try await OAuthHouse()
        let (cookie, signedIn) = try await house.signIn()
        let code = try await house.code(cookie: cookie)
        try await SessionService(provider: house.provider).end(
            signedIn, tenant: house.tenant, facts: house.facts)
        #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
    }

    @Test("a grant type that the client is not registered for is refused")
    func unregisteredGrantType() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        try await house.change(client: "shop") { $0.metadata.grantTypes = [] }
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.error(try await house.refresh(refresh)) == "unauthorized_client")
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request()))
        #expect(answer.parameters["error"] == "unauthorized_client")
    }

    @Test(
        "Attack 42: grant types that would evade every policy do not exist here",
        arguments: ["password", "implicit", "urn:ietf:params:oauth:grant-type:saml2-bearer", "x"])
    func unknownGrantType(type: String) async throws {
        let house = try await OAuthHouse()
        let answer = try await house.post(
            "/token", ["grant_type": type], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(answer) == "unsupported_grant_type")
    }

    @Test("missing, repeated and wrongly encoded parameters are invalid_request")
    func malformedForms() async throws {
        let house = try await OAuthHouse()
        var headers = OAuthHouse.basic("shop")
        headers[.contentType] = FormParameters.mediaType
        for body in [
            "", "grant_type=", "grant_type=authorization_code", "grant_type=refresh_token",
            "grant_type=client_credentials&grant_type=client_credentials", "grant_type=%ff",
            "grant_type=%00", "grant_type=%4",
        ] {
            let answer = try await house.send(.post, "/token", headers: headers, body: body)
            #expect(answer.status == .badRequest, "\(body)")
            #expect(try house.error(answer) == "invalid_request", "\(body)")
        }
        headers[.contentType] = "application/json"
        let json = try await house.send(
            .post, "/token", headers: headers, body: #"{"grant_type":"client_credentials"}"#)
        #expect(try house.error(json) == "invalid_request")
        let get = try await house.get("/token", ["grant_type": "client_credentials"])
        #expect(get.status == .methodNotAllowed)
    }
}
