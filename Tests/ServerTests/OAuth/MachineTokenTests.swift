// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderTokens
import Storage
import Support
import Testing

/// Client credentials, introspection and revocation.
@Suite("Tokens for machines, and looking at tokens")
struct MachineTokenTests {
    private func machineToken(
        _ house: OAuthHouse, _ clientID: String = "shop", scope: String? = nil
    ) async throws -> ServerResponse {
        var form = ["grant_type": "client_credentials"]
        form["scope"] = scope
        return try await house.post("/token", form, headers: OAuthHouse.basic(clientID))
    }

    private func accessToken(
        _ house: OAuthHouse, _ clientID: String = "shop"
    ) async throws -> String {
        try #require(
            try house.json(try await machineToken(house, clientID))["access_token"]?.string)
    }

    @Test("RFC 9068: header and claims of an access token")
    func accessTokenForm() async throws {
        let house = try await OAuthHouse()
        let token = try await accessToken(house)
        let keys = try JWKSet(bytes: try await house.get("/jwks").body)
        let verified = try JWSVerifier(keys: keys, algorithms: [.es256]).verify(compact: token)
        #expect(verified.header.isType("at+jwt"))
        let claims = try house.claims(of: token)
        #expect(claims["iss"]?.string == OAuthHouse.issuer)
        #expect(claims["sub"]?.string == "shop")
        #expect(claims["client_id"]?.string == "shop")
        #expect(claims["aud"]?.string == OAuthHouse.issuer)
        #expect(claims["scope"]?.string == "orders:read orders:write")
        let now = house.clock.now.seconds
        #expect(claims["iat"]?.integer == now)
        #expect(claims["exp"]?.integer == now + 3600)
        #expect(claims["gid"] == nil)
    }

    @Test("no refresh token, no ID token, no scope that needs a person")
    func machineLimits() async throws {
        let house = try await OAuthHouse()
        let answer = try house.json(try await machineToken(house, scope: "orders:read"))
        #expect(answer["refresh_token"] == nil)
        #expect(answer["id_token"] == nil)
        #expect(answer["scope"]?.string == "orders:read")
        for scope in ["openid", "orders:read openid", "unknown", "orders:read\u{7f}"] {
            #expect(
                try house.error(try await machineToken(house, scope: scope)) == "invalid_scope",
                "\(scope)")
        }
        let token = try await accessToken(house)
        #expect(try await house.userInfo(token).status == .forbidden)
    }

    @Test("the audience is the client's registered one")
    func audience() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.audience = "wiki" }
        let token = try await accessToken(house)
        #expect(try house.claims(of: token)["aud"]?.string == "wiki")
        #expect(try await house.isActive(token, for: "wiki"))
    }

    @Test("introspection of a standing token says what it is")
    func introspection() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let answer = try await house.introspect(try #require(tokens["access_token"]?.string))
        #expect(answer["active"]?.bool == true)
        #expect(answer["token_type"]?.string == "Bearer")
        #expect(answer["client_id"]?.string == "shop")
        #expect(answer["sub"]?.string == house.anna.id.description)
        #expect(answer["scope"]?.string == "openid profile offline_access")
        #expect(answer["exp"]?.integer == house.clock.now.seconds + 3600)
        #expect(answer["gid"] == nil)
    }

    @Test("Attack 40: a caller to which the token does not apply receives only active=false")
    func strangersIntrospection() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("auditor") { $0.metadata.scope = "introspect" }
        let tokens = try await house.tokens()
        let access = try #require(tokens["access_token"]?.string)
        let refresh = try #require(tokens["refresh_token"]?.string)
        for token in [access, refresh, "", "x", "a.b.c"] {
            let answer = try await house.post(
                "/introspect", ["token": token], headers: OAuthHouse.basic("wiki"))
            #expect(answer.body == IntrospectionEndpoint.inactive)
            #expect(answer.headers[.contentType] == "application/json")
        }
        #expect(try await house.isActive(access, for: "auditor"))
        #expect(try await !house.isActive(refresh, for: "auditor"))
        let unauthenticated = try await house.post("/introspect", ["token": access])
        #expect(unauthenticated.status == .unauthorized)
        let missing = try await house.post("/introspect", [:], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(missing) == "invalid_request")
    }

    @Test("a refresh token is active for its client until it is rotated")
    func refreshIntrospection() async throws {
        let house = try await OAuthHouse()
        let first = try #require(try await house.tokens()["refresh_token"]?.string)
        #expect(try await house.isActive(first))
        let second = try #require(
            try house.json(try await house.refresh(first))["refresh_token"]?.string)
        #expect(try await !house.isActive(first))
        #expect(try await house.isActive(second))
        house.clock.advance(by: .days(31))
        #expect(try await !house.isActive(second))
        #expect(try house.error(try await house.refresh(second)) == "invalid_grant")
    }

    @Test("expired, revoked, foreign and forged tokens are inactive")
    func inactive() async throws {
        let house = try await OAuthHouse()
        let token = try await accessToken(house)
        #expect(try await house.isActive(token))
        var damaged = Array(token.utf8)
        damaged[damaged.count - 10] ^= 1
        #expect(try await !house.isActive(String(decoding: damaged, as: UTF8.self)))
        let other = try await house.addProject("other")
        try await house.addClient("shop", in: other)
        let elsewhere = try await house.post(
            "/p/other/introspect", ["token": token], headers: OAuthHouse.basic("shop"))
        #expect(elsewhere.body == IntrospectionEndpoint.inactive)
        house.clock.advance(by: .seconds(3600))
        #expect(try await !house.isActive(token))
    }

    @Test("Attack 63: an ID token is no access token")
    func idTokenAsAccessToken() async throws {
        let house = try await OAuthHouse()
        let identity = try #require(try await house.tokens()["id_token"]?.string)
        #expect(try await !house.isActive(identity))
        #expect(try await house.userInfo(identity).status == .unauthorized)
    }

    @Test("revoking an access token ends it alone")
    func revokeAccess() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await house.isActive(access))
        let answer = try await house.post(
            "/revoke", ["token": access, "token_type_hint": "refresh_token"],
            headers: OAuthHouse.basic("shop"))
        #expect(answer.status == .ok)
        #expect(try await !house.isActive(access))
        #expect(try await house.userInfo(access).status == .unauthorized)
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try await house.refresh(refresh).status == .ok)
    }

    @Test("revoking a refresh token ends the whole grant")
    func revokeRefresh() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let refresh = try #require(tokens["refresh_token"]?.string)
        _ = try await house.post(
            "/revoke", ["token": refresh], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await !house.isActive(access))
    }

    @Test("another client's tokens and nonsense: 200, and nothing happens")
    func revokeForeign() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let access = try #require(tokens["access_token"]?.string)
        let refresh = try #require(tokens["refresh_token"]?.string)
        for token in [access, refresh, "nonsense"] {
            let answer = try await house.post(
                "/revoke", ["token": token], headers: OAuthHouse.basic("wiki"))
            #expect(answer.status == .ok)
        }
        #expect(try await house.isActive(access))
        #expect(try await house.refresh(refresh).status == .ok)
        let stranger = try await house.post("/revoke", ["token": access])
        #expect(stranger.status == .unauthorized)
        let missing = try await house.post("/revoke", [:], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(missing) == "invalid_request")
    }

    // MARK: Cost

    @Test("client credentials cost no write, and no read while the client is known")
    func machineCost() async throws {
        let house = try await OAuthHouse()
        _ = try await machineToken(house)
        let cost = try await house.engine.count {
            for _ in 0..<5 {
                let answer = try await machineToken(house)
                #expect(answer.status == .ok)
            }
        }
        #expect(cost == CountingEngine.Counts(reads: 0, writes: 0))
    }

    @Test("introspection of a token seen before costs one read")
    func introspectionCost() async throws {
        let house = try await OAuthHouse()
        let token = try await accessToken(house)
        #expect(try await house.isActive(token))
        let cost = try await house.engine.count {
            let isActive = try await house.isActive(token)
            #expect(isActive)
        }
        #expect(cost == CountingEngine.Counts(reads: 1, writes: 0))
    }

    @Test("a refresh and its audit event cost one commit")
    func refreshCost() async throws {
        let house = try await OAuthHouse()
        // Without the scopes of claims, the tokens contain no claims of the person, so the person's
        // record is not read.
        let tokens = try await house.tokens(scope: "openid offline_access")
        let token = try #require(tokens["refresh_token"]?.string)
        let cost = try await house.engine.count {
            let answer = try await house.refresh(token)
            #expect(answer.status == .ok)
        }
        #expect(cost == CountingEngine.Counts(reads: 0, writes: 1))
    }

    @Test("a refresh whose ID token says who the person is reads their record, once")
    func personalRefreshCost() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens(scope: "openid profile groups offline_access")
        let token = try #require(tokens["refresh_token"]?.string)
        let cost = try await house.engine.count {
            let answer = try await house.refresh(token)
            #expect(answer.status == .ok)
        }
        #expect(cost == CountingEngine.Counts(reads: 1, writes: 1))
    }

    @Test("discovery and keys cost nothing once they were asked for")
    func discoveryCost() async throws {
        let house = try await OAuthHouse()
        _ = try await house.get("/jwks")
        let cost = try await house.engine.count {
            _ = try await house.get("/.well-known/openid-configuration")
            _ = try await house.get("/jwks")
        }
        #expect(cost == CountingEngine.Counts(reads: 0, writes: 0))
    }
}
