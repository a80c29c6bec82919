// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// An access token for another: RFC 8693.
@Suite struct TokenExchangeTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let accessToken = "urn:ietf:params:oauth:token-type:access_token"

    private let house: OAuthHouse

    init() async throws {
        house = try await OAuthHouse()
        try await house.change(client: "shop") {
            $0.metadata.grantTypes.append(Self.grantType)
            $0.metadata.exchangeAudiences = ["https://api.example.com", "ledger"]
        }
    }

    private func exchange(
        _ token: String, by clientID: String = "shop", _ change: [String: String?] = [:]
    ) async throws -> ServerResponse {
        var form = [
            "grant_type": Self.grantType, "subject_token": token,
            "subject_token_type": Self.accessToken, "audience": "ledger",
        ]
        for (name, value) in change { form[name] = value }
        return try await house.post("/token", form, headers: OAuthHouse.basic(clientID))
    }

    private func error(
        _ token: String, by clientID: String = "shop", _ change: [String: String?] = [:]
    ) async throws -> String? {
        try house.error(try await exchange(token, by: clientID, change))
    }

    private func token(_ scope: String = "openid profile orders:read") async throws -> String {
        try #require(try await house.tokens(scope: scope)["access_token"]?.string)
    }

    @Test("What comes of it is for that audience, for less, and speaks for the same person")
    func exchanges() async throws {
        let subject = try await token("openid profile orders:read offline_access")
        let body = try house.json(try await exchange(subject))
        #expect(body["issued_token_type"]?.string == Self.accessToken)
        #expect(body["token_type"] == "Bearer" && body["scope"] == "profile orders:read")
        #expect(body["refresh_token"] == nil && body["id_token"] == nil)
        let claims = try house.claims(of: body["access_token"]?.string)
        let before = try house.claims(of: subject)
        #expect(claims["aud"] == "ledger" && claims["sub"] == before["sub"])
        #expect(claims["client_id"] == "shop" && claims["jti"] != before["jti"])
        let narrow = try house.json(try await exchange(subject, ["scope": "orders:read"]))
        #expect(narrow["scope"] == "orders:read")
    }

    @Test("It lives no longer than what was exchanged, and ends with it")
    func ends() async throws {
        let subject = try await token()
        house.clock.advance(by: .seconds(3000))
        let body = try house.json(try await exchange(subject))
        #expect(body["expires_in"] == 600)
        let made = try #require(body["access_token"]?.string)
        #expect(try await house.isActive(made))
        let person = try #require(
            Identifier<Person>(try house.claims(of: made)["sub"]?.string ?? ""))
        for grant in try await house.provider.store.grants.grants(of: person, now: house.clock.now)
        {
            try await house.provider.store.grants.revoke(grant: grant.id, now: house.clock.now)
        }
        #expect(try await !house.isActive(made))
    }

    @Test("Attack 41: an audience that is not on the list, or none")
    func audiences() async throws {
        let subject = try await token()
        for audience in ["shop", "ledger2", "LEDGER", OAuthHouse.issuer, "ledger wiki"] {
            #expect(try await error(subject, ["audience": audience]) == "invalid_target")
        }
        #expect(try await error(subject, ["audience": nil]) == "invalid_request")
        try await house.change(client: "shop") { $0.metadata.exchangeAudiences = [] }
        #expect(try await error(subject) == "invalid_target")
    }

    @Test("Attack 41: a subject that is missing, forged, expired, revoked, or of another kind")
    func subjects() async throws {
        let tokens = try await house.tokens(scope: "openid profile offline_access")
        let access = try #require(tokens["access_token"]?.string)
        #expect(try await error(access, ["subject_token": nil]) == "invalid_request")
        #expect(try await error(access, ["subject_token_type": nil]) == "invalid_request")
        for name in ["id_token", "refresh_token"] {
            let other = try #require(tokens[name]?.string)
            #expect(try await error(other) == "invalid_request")
            let type = "urn:ietf:params:oauth:token-type:\(name)"
            #expect(
                try await error(other, ["subject_token_type": type]) == "invalid_request")
        }
        #expect(try await error(access + "x") == "invalid_request")
        _ = try await house.post(
            "/revoke", ["token": access], headers: OAuthHouse.basic("shop"))
        #expect(try await error(access) == "invalid_request")
        let late = try await token()
        house.clock.advance(by: .seconds(3601))
        #expect(try await error(late) == "invalid_request")
    }

    @Test("Attack 41: a subject of another client or project, or unknown")
    func strangers() async throws {
        try await house.change(client: "wiki") {
            $0.metadata.grantTypes.append(Self.grantType)
            $0.metadata.exchangeAudiences = ["ledger"]
        }
        #expect(try await error(try await token(), by: "wiki") == "invalid_request")
        let other = try await house.addProject("other")
        try await house.addClient("shop", in: other) {
            $0.metadata.grantTypes.append(Self.grantType)
            $0.metadata.exchangeAudiences = ["ledger"]
        }
        let foreign = try await house.post(
            "/p/other/token",
            [
                "grant_type": Self.grantType, "subject_token": try await token(),
                "subject_token_type": Self.accessToken, "audience": "ledger",
            ], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(foreign) == "invalid_request")
        let machine = try house.json(
            try await house.post(
                "/token", ["grant_type": "client_credentials"],
                headers: OAuthHouse.basic("shop")))
        let own = try #require(machine["access_token"]?.string)
        #expect(try await error(own) == "invalid_request")
    }

    @Test("Wider scopes, other types and actors are refused; so is who is not registered for it")
    func refusals() async throws {
        let subject = try await token()
        for scope in ["email", "openid", "orders:write", "profile\u{7f}"] {
            #expect(try await error(subject, ["scope": scope]) == "invalid_scope")
        }
        let jwt = "urn:ietf:params:oauth:token-type:jwt"
        #expect(
            try await error(subject, ["requested_token_type": jwt]) == "invalid_request")
        #expect(try await error(subject, ["actor_token": subject]) == "invalid_request")
        #expect(try await error(subject, by: "wiki") == "unauthorized_client")
    }

    @Test("What was exchanged is not exchanged again, and opens nothing of the provider's own")
    func chain() async throws {
        let made = try house.json(try await exchange(try await token()))
        let text = try #require(made["access_token"]?.string)
        #expect(
            try await error(text, ["audience": "https://api.example.com"]) == "invalid_request")
        // It is for another audience (RFC 9068 section 4), whatever its scopes are.
        let refused = try await house.userInfo(text)
        #expect(refused.status == .unauthorized)
        #expect(refused.headers[.wwwAuthenticate]?.contains(ErrorCode.invalidToken) == true)
    }

    @Test("A person who is disabled concurrently gets nothing")
    func disabled() async throws {
        let subject = try await token()
        var anna = house.anna
        anna.disabled = true
        _ = try await house.provider.store.people.update(anna, now: house.clock.now)
        #expect(try await error(subject) == "invalid_request")
    }
}
