// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import Storage
import Support
import Testing

/// The modules of `oidcc-basic-certification-test-plan`, one test each, over the real routes.
@Suite("OpenID Connect Basic profile")
struct BasicProfileTests {
    @Test("server: code, token, ID token and userinfo fit together")
    func server() async throws {
        let house = try await OAuthHouse()
        let answer = try await house.tokens()
        #expect(answer["token_type"]?.string == "Bearer")
        #expect(answer["expires_in"]?.integer == 3600)
        let claims = try house.claims(of: answer["id_token"]?.string)
        #expect(claims["iss"]?.string == OAuthHouse.issuer)
        #expect(claims["aud"]?.string == "shop")
        #expect(claims["azp"]?.string == "shop")
        #expect(claims["nonce"]?.string == "n-0S6_WzA2Mj")
        #expect(claims["auth_time"]?.integer == house.clock.now.seconds)
        #expect(claims["amr"]?.strings == ["pwd"])
        let access = try #require(answer["access_token"]?.string)
        let info = try house.json(try await house.userInfo(access))
        #expect(info["sub"]?.string == claims["sub"]?.string)
        #expect(info["sub"]?.string == house.anna.id.description)
    }

    @Test("idtoken-signature: RS256 and ES256, each as registered, kid in the key set")
    func idTokenSignature() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("rs") { $0.metadata.idTokenSignedResponseAlg = "RS256" }
        for (client, algorithm) in [("shop", JWSAlgorithm.es256), ("rs", .rs256)] {
            let token = try #require(try await house.tokens(client)["id_token"]?.string)
            let keys = try JWKSet(bytes: try await house.get("/jwks").body)
            let verified = try JWSVerifier(keys: keys, algorithms: [algorithm])
                .verify(compact: token)
            #expect(verified.header.keyID != nil)
        }
    }

    @Test("at_hash is the left half of the access token's SHA-256")
    func accessTokenHash() async throws {
        let house = try await OAuthHouse()
        let answer = try await house.tokens()
        let access = try #require(answer["access_token"]?.string)
        let whole = try #require(Base64URL.decode(CodeChallenge.s256(of: access)))
        let claims = try house.claims(of: answer["id_token"]?.string)
        #expect(claims["at_hash"]?.string == Base64URL.encode(whole.prefix(16)))
    }

    @Test("response-type-missing: invalid_request to the client, with state and iss")
    func responseTypeMissing() async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", ["response_type": nil])))
        #expect(answer.parameters["error"] == "invalid_request")
        #expect(answer.parameters["state"] == "af0ifjsldkj")
        #expect(answer.parameters["iss"] == OAuthHouse.issuer)
    }

    @Test("other response types are refused", arguments: ["token", "id_token", "code id_token"])
    func otherResponseTypes(type: String) async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", ["response_type": type])))
        #expect(answer.parameters["error"] == "unsupported_response_type")
    }

    @Test("userinfo-get, -post-header, -post-body: three ways to the same answer")
    func userInfoThreeWays() async throws {
        let house = try await OAuthHouse()
        let token = try #require(try await house.tokens()["access_token"]?.string)
        let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
        let answers = [
            try await house.get("/userinfo", headers: bearer),
            try await house.send(.post, "/userinfo", headers: bearer),
            try await house.post("/userinfo", ["access_token": token]),
        ]
        #expect(answers.allSatisfy { $0.status == .ok && $0.body == answers[0].body })
    }

    @Test("userinfo: no token in the query, nor in two places")
    func userInfoRefusals() async throws {
        let house = try await OAuthHouse()
        let token = try #require(try await house.tokens()["access_token"]?.string)
        let query = try await house.get("/userinfo", ["access_token": token])
        #expect(query.status == .unauthorized)
        #expect(query.headers[.wwwAuthenticate] == #"Bearer realm="gatehouse""#)
        let twice = try await house.post(
            "/userinfo", ["access_token": token],
            headers: [.authorization: "Bearer \(token)"])
        #expect(twice.status == .badRequest)
        let basic = try await house.get("/userinfo", headers: OAuthHouse.basic("shop"))
        #expect(basic.status == .badRequest)
        let wrong = try await house.userInfo("x.y.z")
        #expect(wrong.status == .unauthorized)
        #expect(wrong.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
    }

    @Test("userinfo needs the scope openid")
    func userInfoNeedsOpenID() async throws {
        let house = try await OAuthHouse()
        let token = try #require(
            try await house.tokens(scope: "profile")["access_token"]?.string)
        #expect(try await house.userInfo(token).status == .forbidden)
    }

    @Test(
        "scope-profile, -email, -address, -phone, -all: claims appear at userinfo",
        arguments: [
            ("profile", ["name", "given_name", "family_name", "preferred_username"]),
            ("email", ["email", "email_verified"]),
            ("phone", ["phone_number", "phone_number_verified"]),
            ("address", ["address"]), ("groups", ["groups"]),
        ])
    func scopes(scope: String, expected: [String]) async throws {
        let house = try await OAuthHouse()
        let alone = try #require(
            try await house.tokens(scope: "openid \(scope)")["access_token"]?.string)
        let info = try house.json(try await house.userInfo(alone))
        #expect(Set(info.names) == Set(expected + ["sub"]))
        let without = try #require(
            try await house.tokens(scope: "openid")["access_token"]?.string)
        #expect(try house.json(try await house.userInfo(without)).names == ["sub"])
    }

    @Test("address is an object with formatted")
    func address() async throws {
        let house = try await OAuthHouse()
        let token = try #require(
            try await house.tokens(scope: "openid address")["access_token"]?.string)
        let info = try house.json(try await house.userInfo(token))
        #expect(info["address"]?["formatted"]?.string == house.anna.claims.address)
    }

    @Test("ensure-request-without-nonce-succeeds-for-code-flow")
    func withoutNonce() async throws {
        let house = try await OAuthHouse()
        let answer = try await house.tokens(with: ["nonce": nil])
        #expect(try house.claims(of: answer["id_token"]?.string)["nonce"] == nil)
    }

    @Test("alternate-happy-flow: the order of scopes does not matter")
    func scopeOrder() async throws {
        let house = try await OAuthHouse()
        let answer = try await house.tokens(scope: "email  profile openid")
        #expect(ScopeSet(answer["scope"]?.string ?? "") == ScopeSet("openid profile email"))
    }

    @Test(
        "display, login_hint, ui_locales, claims_locales, acr_values, unknown parameters: no error",
        arguments: [
            ("display", "page"), ("display", "popup"), ("login_hint", "anna"),
            ("ui_locales", "se de"), ("claims_locales", "se"), ("acr_values", "1 2"),
            ("extra", "foobar"), ("resource", ""),
        ])
    func harmlessParameters(name: String, value: String) async throws {
        let house = try await OAuthHouse()
        let answer = try await house.tokens(with: [name: value])
        #expect(try house.claims(of: answer["id_token"]?.string)["acr"]?.string != nil)
    }

    @Test("claims-essential: an essential claim never breaks a flow")
    func essentialClaims() async throws {
        let house = try await OAuthHouse()
        let claims = #"{"userinfo":{"name":{"essential":true}},"id_token":{"acr":null}}"#
        #expect(try await house.tokens(with: ["claims": claims])["id_token"] != nil)
        for broken in ["x", "[]", #"{"userinfo":1}"#, "{}{}"] {
            let answer = try OAuthHouse.Answer(
                try await house.get("/authorize", house.request("shop", ["claims": broken])))
            #expect(answer.parameters["error"] == "invalid_request", "\(broken)")
        }
    }

    @Test("ensure-post-request-succeeds: the authorization endpoint takes POST")
    func postRequest() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let answer = try OAuthHouse.Answer(
            try await house.post("/authorize", house.request(), cookie: cookie))
        #expect(answer.parameters["code"] != nil)
    }

    @Test("server-client-secret-post: the secret in the body")
    func clientSecretPost() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("post") {
            $0.metadata.tokenEndpointAuthMethod = "client_secret_post"
        }
        let code = try await house.code("post", cookie: try await house.signIn().cookie)
        let answer = try await house.post(
            "/token",
            [
                "grant_type": "authorization_code", "code": code,
                "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
                "client_id": "post", "client_secret": OAuthHouse.secret(of: "post"),
            ])
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test(
        "request and request_uri are refused by name, never ignored",
        arguments: [
            ("request", "eyJhbGciOiJub25lIn0.e30.", "request_not_supported"),
            ("request_uri", "https://shop.example.com/r", "request_uri_not_supported"),
            ("registration", "{}", "registration_not_supported"),
        ])
    func requestObjects(name: String, value: String, error: String) async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", [name: value])))
        #expect(answer.parameters["error"] == error)
    }

    @Test("refresh-token: works, keeps the subject, and rotates")
    func refreshToken() async throws {
        let house = try await OAuthHouse()
        let first = try await house.tokens()
        let token = try #require(first["refresh_token"]?.string)
        let second = try house.json(try await house.refresh(token))
        #expect(second["refresh_token"]?.string != token)
        let before = try house.claims(of: first["id_token"]?.string)
        let after = try house.claims(of: second["id_token"]?.string)
        for name in ["sub", "iss", "aud", "auth_time", "azp", "sid"] {
            #expect(before[name] == after[name], "\(name)")
        }
        #expect(after["nonce"] == nil)
    }

    @Test(
        "without offline_access no refresh token; a client that cannot refresh may not ask for it")
    func noRefreshToken() async throws {
        let house = try await OAuthHouse()
        #expect(try await house.tokens(scope: "openid")["refresh_token"] == nil)
        try await house.change(client: "shop") {
            $0.metadata.grantTypes = ["authorization_code"]
        }
        let answer = try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["scope": "openid offline_access"]),
                cookie: try await house.signIn().cookie))
        #expect(answer.parameters["error"] == "invalid_scope")
        #expect(answer.parameters["error_description"]?.contains("offline_access") == true)
    }

    @Test("ensure-request-with-valid-pkce-succeeds, and without PKCE for confidential clients")
    func pkce() async throws {
        let house = try await OAuthHouse()
        #expect(try await house.tokens()["access_token"] != nil)
        let code = try await house.code(
            cookie: try await house.signIn().cookie,
            ["code_challenge": nil, "code_challenge_method": nil])
        #expect(try await house.redeem(code, ["code_verifier": nil]).status == .ok)
    }
}
