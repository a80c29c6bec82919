// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// Claims that a client asks for one by one: OpenID Connect Core section 5.5.
@Suite("The claims parameter")
struct ClaimsParameterTests {
    private func answers(
        _ house: OAuthHouse, _ claims: String, scope: String = "openid", cookie: String? = nil
    ) async throws -> (idToken: JSONObject, userInfo: JSONObject) {
        let tokens = try await house.tokens(
            scope: scope, cookie: cookie, with: ["claims": claims])
        let access = try #require(tokens["access_token"]?.string)
        return (
            try house.claims(of: tokens["id_token"]?.string),
            try house.json(try await house.userInfo(access))
        )
    }

    @Test("single claims come where they were asked for, essential or not")
    func places() async throws {
        let house = try await OAuthHouse()
        let (idToken, userInfo) = try await answers(
            house,
            #"{"id_token":{"email":{"essential":true},"groups":null},"userinfo":{"name":null}}"#)
        #expect(idToken["email"]?.string == house.anna.claims.email)
        #expect(idToken["groups"] == ["staff"] && idToken["name"] == nil)
        #expect(userInfo["name"]?.string == house.anna.claims.name)
        #expect(userInfo["email"] == nil && userInfo["groups"] == nil)
    }

    @Test("a claim comes once, when its scope brings it as well")
    func once() async throws {
        let house = try await OAuthHouse()
        let (_, userInfo) = try await answers(
            house, #"{"userinfo":{"email":null,"address":null}}"#, scope: "openid email")
        #expect(userInfo["email"] != nil && userInfo["address"]?["formatted"] != nil)
        // The strict parser has refused a member that comes twice.
    }

    @Test("unknown claims, and those that this person lacks, are omitted")
    func unknown() async throws {
        let house = try await OAuthHouse()
        let (idToken, userInfo) = try await answers(
            house,
            #"{"id_token":{"shoe_size":{"essential":true},"nickname":null},"userinfo":{"x":1},"y":2}"#
                .replacing(#""x":1"#, with: #""x":{"foo":1}"#))
        #expect(idToken["shoe_size"] == nil && idToken["nickname"] == nil && userInfo["x"] == nil)
    }

    @Test("a claim that is wanted with a value comes when it has it")
    func values() async throws {
        let house = try await OAuthHouse()
        let email = try #require(house.anna.claims.email)
        let right =
            #"{"id_token":{"email":{"value":"\#(email)"}},"userinfo":{"name":{"values":["x"]}}}"#
        let (idToken, userInfo) = try await answers(house, right)
        #expect(idToken["email"]?.string == email && userInfo["name"] == nil)
    }

    @Test("single claims do not shadow those of the token itself")
    func noShadow() async throws {
        let house = try await OAuthHouse()
        let (idToken, _) = try await answers(
            house, #"{"id_token":{"iss":{"value":"evil"},"aud":null,"exp":null,"sid":null}}"#)
        #expect(idToken["iss"]?.string == OAuthHouse.issuer && idToken["aud"] == "shop")
    }

    @Test("a client gets no claim of a scope that it may not ask for, then or later")
    func bounded() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.scope = "openid profile" }
        let claims = #"{"id_token":{"email":null},"userinfo":{"email":null,"name":null}}"#
        let (idToken, userInfo) = try await answers(house, claims)
        #expect(idToken["email"] == nil && userInfo["email"] == nil && userInfo["name"] != nil)
        let tokens = try await house.tokens(scope: "openid", with: ["claims": claims])
        try await house.change(client: "shop") { $0.metadata.scope = "openid" }
        let access = try #require(tokens["access_token"]?.string)
        #expect(try house.json(try await house.userInfo(access))["name"] == nil)
    }

    @Test("a person is asked for single claims as for their scopes")
    func consent() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.firstParty = false }
        let signedIn = try await house.signIn().signedIn
        func need(_ claims: String) async throws -> Interaction.Need? {
            let step = try await AuthorizationEndpoint(house.provider).begin(
                parameters: house.request("shop", ["scope": "openid", "claims": claims]),
                tenant: house.tenant, facts: house.facts, signedIn: signedIn)
            guard case .interaction(let interaction) = step else { return nil }
            return interaction.need
        }
        let asked = #"{"id_token":{"email":null,"email_verified":null},"userinfo":{"name":null}}"#
        #expect(
            try await need(asked)
                == .consent(scope: try #require(ScopeSet("openid email profile"))))
        try await house.provider.store.consents.save(
            Consent(
                project: house.tenant.project.id, person: house.anna.id,
                client: try #require(
                    try await house.provider.client("shop", of: house.tenant)
                ).id,
                scope: "openid email", givenAt: house.clock.now))
        #expect(try await need(#"{"id_token":{"email":null}}"#) == nil)
        #expect(try await need(asked) != nil)
    }

    @Test("Attack 62: sub with a value says who must be signed in")
    func subject() async throws {
        let house = try await OAuthHouse()
        let bert = try await house.addPerson("bert")
        let cookie = try await house.signIn().cookie
        func answer(
            _ sub: String, _ change: [String: String?] = [:]
        ) async throws
            -> OAuthHouse.Answer
        {
            var changes = change
            changes["claims"] = #"{"id_token":{"sub":\#(sub)}}"#
            return try OAuthHouse.Answer(
                try await house.get("/authorize", house.request("shop", changes), cookie: cookie))
        }
        let anna = house.anna.id.description
        #expect(try await answer(#"{"value":"\#(anna)"}"#).parameters["code"] != nil)
        #expect(
            try await answer(#"{"values":["\#(bert.id)","\#(anna)"]}"#).parameters["code"] != nil)
        for other in [#"{"value":"\#(bert.id)"}"#, #"{"value":"anna"}"#, #"{"value":7}"#] {
            #expect(try await answer(other).address == "/sign-in")
            #expect(
                try await answer(other, ["prompt": "none"]).parameters["error"]
                    == "login_required")
        }
    }

    @Test("a refreshed ID token carries them too, and userinfo after it")
    func refreshed() async throws {
        let house = try await OAuthHouse()
        let claims = #"{"id_token":{"email":null},"userinfo":{"name":null}}"#
        let tokens = try await house.tokens(
            scope: "openid offline_access", with: ["claims": claims])
        let refreshed = try house.json(
            try await house.refresh(try #require(tokens["refresh_token"]?.string)))
        #expect(try house.claims(of: refreshed["id_token"]?.string)["email"] != nil)
        let access = try #require(refreshed["access_token"]?.string)
        #expect(try house.json(try await house.userInfo(access))["name"] != nil)
    }
}
