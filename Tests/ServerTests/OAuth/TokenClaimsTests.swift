// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import StorageSQL
import Support
import Testing

/// What tokens say of a person.
@Suite struct TokenClaimsTests {
    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse() }

    private struct Answers {
        let idToken: JSONObject
        let accessToken: JSONObject
        let userInfo: JSONObject
        let refresh: String?
    }

    private func answers(_ scope: String) async throws -> Answers {
        try await answers(to: try await house.tokens(scope: scope))
    }

    private func answers(to tokens: JSONObject) async throws -> Answers {
        let access = try #require(tokens["access_token"]?.string)
        return Answers(
            idToken: try house.claims(of: tokens["id_token"]?.string),
            accessToken: try house.claims(of: access),
            userInfo: try house.json(try await house.userInfo(access)),
            refresh: tokens["refresh_token"]?.string)
    }

    /// A document that says this of a person.
    private func apply(_ person: JSONValue) async throws {
        let state = try StateParser.parse([
            "projects": [["name": .string(house.tenant.project.name), "users": [person]]]
        ])
        let facts = RequestMetadata(now: house.clock.now, requestID: "r", address: "local")
        _ = try await StateReconciler(house.provider).apply(state, facts: facts).get()
    }

    @Test("a person's attributes are set, read, replaced and removed by who may change the person")
    func attributes() async throws {
        func attributes() async throws -> JSONValue? {
            let anna = try #require(try await house.provider.store.people.person(house.anna.id))
            return StateExport.object(anna)["attributes"]
        }
        func put(_ attributes: JSONValue) async throws {
            try await apply(["username": "anna", "attributes": attributes])
        }
        #expect(try await attributes() == nil)
        let first: JSONValue = ["department": "sales", "sites": ["berlin", "rome"], "level": 3]
        try await put(first)
        #expect(try await attributes() == first)
        try await apply(["username": "anna", "locale": "de"])
        #expect(try await attributes() == first, "what is not mentioned stays")
        try await put(["department": "board"])
        #expect(try await attributes() == ["department": "board"])
        try await put([:])
        #expect(try await attributes() == nil)
    }

    private func put(_ claims: JSONValue) async throws {
        try await house.change(client: "shop") { $0.metadata.claims = claims.text }
    }

    @Test("Claims of granted scopes are in the ID token, groups in the access token too")
    func scopes() async throws {
        let plain = try await answers("openid")
        #expect(plain.idToken["name"] == nil && plain.idToken["groups"] == nil)
        #expect(plain.accessToken["groups"] == nil)
        let all = try await answers("openid profile email groups offline_access")
        #expect(all.idToken["name"]?.string == house.anna.claims.name)
        #expect(all.idToken["preferred_username"] == "anna")
        #expect(all.idToken["email"]?.string == house.anna.claims.email)
        #expect(all.idToken["groups"] == ["staff"] && all.accessToken["groups"] == ["staff"])
        #expect(all.accessToken["email"] == nil && all.accessToken["name"] == nil)
        // A refresh says what holds then.
        var anna = try #require(try await house.provider.store.people.person(house.anna.id))
        anna.claims.groups = ["board"]
        #expect(try await house.provider.store.people.update(anna, now: house.clock.now))
        let refreshed = try await house.refresh(try #require(all.refresh))
        let later = try await answers(to: try house.json(refreshed))
        #expect(later.idToken["groups"] == ["board"] && later.accessToken["groups"] == ["board"])
    }

    @Test("minimal leaves them to user info")
    func minimal() async throws {
        try await house.change(client: "shop") { $0.metadata.idTokenClaims = "minimal" }
        let all = try await answers("openid profile email")
        #expect(all.idToken["name"] == nil && all.idToken["email"] == nil)
        #expect(all.userInfo["name"] != nil && all.userInfo["email"] != nil)
    }

    @Test("A client's own claims come from groups, attributes and constants, where they are wanted")
    func custom() async throws {
        try await put([
            [
                "claim": "role", "in": ["id_token", "access_token", "userinfo"],
                "from_groups": ["admins": "Admin", "staff": "Editor"], "default": "Viewer",
            ],
            ["claim": "department", "in": ["userinfo"], "from_attribute": "department"],
            ["claim": "tenant", "in": ["access_token"], "value": "acme"],
        ])
        try await apply(["username": "anna", "attributes": ["department": "sales"]])
        let all = try await answers("openid")
        #expect(all.idToken["role"] == "Editor" && all.accessToken["role"] == "Editor")
        #expect(all.userInfo["role"] == "Editor" && all.userInfo["department"] == "sales")
        #expect(all.idToken["department"] == nil && all.accessToken["department"] == nil)
        #expect(all.accessToken["tenant"] == "acme" && all.idToken["tenant"] == nil)
        let bea = try await house.addPerson("bea")
        var changed = bea
        changed.claims.groups = []
        #expect(try await house.provider.store.people.update(changed, now: house.clock.now))
        let cookie = try await house.signIn(bea).cookie
        let hers = try await answers(to: try await house.tokens(scope: "openid", cookie: cookie))
        #expect(hers.idToken["role"] == "Viewer" && hers.userInfo["department"] == nil)
    }

    @Test(
        "Too many groups for an HTTP header are omitted from the access token, which is still valid"
    )
    func tooMany() async throws {
        var anna = try #require(try await house.provider.store.people.person(house.anna.id))
        anna.claims.groups = (0..<600).map { "a-group-with-a-long-name-\($0)" }
        #expect(try await house.provider.store.people.update(anna, now: house.clock.now))
        let all = try await answers("openid groups")
        #expect(all.accessToken["groups"] == nil)
        #expect(all.idToken["groups"]?.array?.count == 600)
        #expect(all.userInfo["groups"]?.array?.count == 600)
    }

    @Test("A client without a stated algorithm gets RS256, as OpenID Connect Core section 2 has it")
    func algorithm() async throws {
        #expect(ClientMetadata().idTokenSignedResponseAlg == "RS256")
        try await house.change(client: "shop") {
            $0.metadata.idTokenSignedResponseAlg = ClientMetadata().idTokenSignedResponseAlg
        }
        let token = try #require(try await house.tokens()["id_token"]?.string)
        let header = try UnverifiedJWS(compact: token).signatures.first?.header
        #expect(header?.algorithm == "RS256")
    }
}
