// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderCore
import Storage
import Testing

@Suite struct IdentityProviderEndpointTests {
    private let house: AdminHouse
    private let path = "/projects/default/identity-providers"

    init() async throws { house = try await AdminHouse() }

    private func entry(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        var object = JSONObject()
        object["kind"] = "oidc"
        object["issuer"] = "https://acme.example"
        object["client_id"] = "gatehouse"
        object["client_secret"] = "very secret"
        for (name, value) in changes { object[name] = value == .null ? nil : value }
        return .object(object)
    }

    private func put(_ changes: [String: JSONValue] = [:]) async throws -> AdminHouse.Answer {
        try await house.call(.put, "\(path)/acme", body: entry(changes))
    }

    private func fields(_ answer: AdminHouse.Answer) -> [String] {
        answer.body["changes"]?.array?.last?["fields"]?.array?
            .compactMap { $0["name"]?.string } ?? []
    }

    @Test("A provider is made, changed, shown without its secret, exported and removed")
    func life() async throws {
        let made = try await put(["claims": ["username": "login"]])
        #expect(made.status == 201)
        #expect(fields(made).contains("client_secret"))
        let again = try await put(["claims": ["username": "login"]])
        #expect(again.body["changes"]?.array?.last?["action"] == "unchanged")
        // Without a secret the one that is kept stays.
        let kept = try await put(["claims": ["username": "login"], "client_secret": .null])
        #expect(kept.body["changes"]?.array?.last?["action"] == "unchanged")
        #expect(fields(try await put(["enabled": false])) == ["enabled", "claims"])
        #expect(
            fields(try await put(["client_secret": "another", "enabled": false])) == [
                "client_secret"
            ])
        let shown = try await house.call(.get, "\(path)/acme")
        #expect(shown.body["enabled"] == false && shown.body["client_secret"] == nil)
        #expect(
            shown.body["redirect_uri"] == "http://localhost:8080/sign-in/with/acme/callback")
        let list = try await house.call(.get, path)
        #expect(list.body["items"]?.array?.count == 1 && !list.body.text.contains("secret\""))
        let state = try await house.call(.get, "/state")
        #expect(!state.body.text.contains("very secret"))
        let plan = try await house.call(.post, "/state/plan", body: state.body)
        #expect(plan.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        #expect(try await house.call(.delete, "\(path)/acme").status == 204)
        #expect(try await house.call(.delete, "\(path)/acme").status == 404)
        #expect(try await house.call(.get, "\(path)/acme").status == 404)
    }

    @Test("The secret is sealed where it is kept")
    func sealed() async throws {
        _ = try await put()
        let project = try #require(
            try await house.provider.store.projects.project(named: "default"))
        let stored = try #require(
            try await house.provider.store.upstreamProviders.upstreamProvider(
                named: "acme", in: project.id))
        let sealed = try #require(stored.sealedSecret)
        #expect(!String(decoding: sealed, as: UTF8.self).contains("very secret"))
    }

    @Test("The kind never changes")
    func kind() async throws {
        _ = try await put()
        let answer = try await put([
            "kind": "oauth", "issuer": .null,
            "authorization_endpoint": "https://acme.example/a",
            "token_endpoint": "https://acme.example/t",
            "userinfo_endpoint": "https://acme.example/u",
        ])
        #expect(answer.status == 422 && answer.body.text.contains("has the kind"))
    }

    @Test(
        "What does not go together is refused, with its place",
        arguments: [
            ("kind", ["kind": "saml"]), ("kind", ["kind": .null]),
            ("issuer", ["issuer": .null]), ("issuer", ["issuer": "http://acme.example"]),
            ("issuer", ["issuer": "https://acme.example?x=1"]),
            ("client_id", ["client_id": .null]),
            ("token_endpoint", ["token_endpoint": "ftp://acme.example"]),
            ("token_endpoint_auth_method", ["token_endpoint_auth_method": "client_secret_jwt"]),
            ("scopes", ["scopes": ["a b"]]), ("scopes", ["scopes": "openid"]),
            ("claims", ["claims": ["groups": "roles"]]), ("claims", ["claims": ["sub": "id"]]),
            ("claims", ["claims": ["name": 5]]), ("acr", ["acr": ["x": "gold"]]),
            ("enabled", ["enabled": "yes"]), ("surprise", ["surprise": true]),
            ("client_secret_file", ["client_secret_file": "/etc/passwd"]),
            (
                "userinfo_endpoint",
                [
                    "kind": "oauth", "authorization_endpoint": "https://a.example",
                    "token_endpoint": "https://a.example",
                ]
            ),
        ] as [(String, [String: JSONValue])])
    func refusals(place: String, changes: [String: JSONValue]) async throws {
        let answer = try await put(changes)
        #expect(answer.status == 422 && answer.code == "invalid_state")
        let places = answer.body["errors"]?.array?.compactMap { $0["path"]?.string } ?? []
        #expect(places.contains(place), "\(places)")
        #expect(try await house.call(.get, path).body["items"] == [])
    }

    @Test("A secret is needed where one is used, and dropped where none is")
    func secrets() async throws {
        let none = try await put(["client_secret": .null])
        #expect(none.status == 422 && none.body.text.contains("has no secret"))
        #expect(
            try await put([
                "client_secret": .null, "token_endpoint_auth_method": "private_key_jwt",
            ]).status == 201)
        _ = try await put()
        _ = try await put(["client_secret": .null, "token_endpoint_auth_method": "none"])
        #expect(try await put(["client_secret": .null]).status == 422)
    }

    @Test("Names that addresses cannot hold, and projects that are not there")
    func names() async throws {
        for name in ["Acme", "a_b", "-a"] {
            #expect(try await house.call(.put, "\(path)/\(name)", body: entry()).status == 422)
        }
        let elsewhere = "/projects/nowhere/identity-providers"
        #expect(try await house.call(.get, elsewhere).status == 404)
        #expect(try await house.call(.put, "\(elsewhere)/a", body: entry()).status == 404)
        #expect(try await house.call(.delete, "\(elsewhere)/a").status == 404)
    }
}
