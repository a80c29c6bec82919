// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Testing

@Suite struct AdminRegistrationTests {
    private let house: AdminHouse

    init() async throws { house = try await AdminHouse() }

    private static let pem = """
        -----BEGIN PUBLIC KEY-----\r
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEKdqyVSdkZ2R7fLtGCZFiHKZIsmCJ\r
        r2ni1Vy0s1RfRqb4KASuS5o4/xmkXp44TFZmHpjAan1Vo7H2YKREi5Txeg==\r
        -----END PUBLIC KEY-----\r
        """

    private func entry(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        var entry = JSONObject([
            .init(name: "issuer", value: "https://idp.example"), .init(name: "kid", value: "k1"),
            .init(name: "alg", value: "ES256"), .init(name: "public_key", value: .string(Self.pem)),
            .init(name: "attributes", value: ["plan"]),
        ])
        for (name, value) in changes { entry[name] = value }
        return .object(entry)
    }

    private let path = "/projects/default/issuer-keys"

    @Test("A key is registered, changed, listed, exported and removed")
    func issuerKeys() async throws {
        let made = try await house.call(.put, path, body: entry())
        #expect(made.status == 201)
        #expect(made.body["changes"]?.array?.last?["action"] == "create")
        let again = try await house.call(.put, path, body: entry())
        #expect(again.body["changes"]?.array?.last?["action"] == "unchanged")
        let changed = try await house.call(.put, path, body: entry(["milliseconds": true]))
        let fields = changed.body["changes"]?.array?.last?["fields"]?.array
        #expect(fields?.map { $0["name"] } == ["milliseconds"])
        let items = try #require(try await house.call(.get, path).body["items"]?.array)
        #expect(items.count == 1 && items[0]["public_key"]?["kty"] == "EC")
        #expect(items[0]["audience"] == "identity-service" && items[0]["milliseconds"] == true)
        let state = try await house.call(.get, "/state")
        let exported = state.body["projects"]?.array?.first
        #expect(exported?["issuer_keys"]?.array?.count == 1)
        #expect(exported?["registration"]?["methods"] == ["signedJWT", "testKey", "oidc"])
        let unchanged = try await house.call(.post, "/state/plan", body: state.body)
        #expect(
            unchanged.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        let id = try #require(items[0]["id"]?.string)
        #expect(try await house.call(.delete, "\(path)/\(id)").status == 204)
        #expect(try await house.call(.delete, "\(path)/\(id)").status == 404)
        #expect(try await house.call(.delete, "\(path)/x").status == 404)
        #expect(try await house.call(.get, path).body["items"] == [])
    }

    @Test(
        "What cannot be an issuer's key is refused, by name",
        arguments: [
            ["issuer": nil], ["kid": nil], ["alg": nil], ["public_key": nil], ["issuer": ""],
            ["issuer": "testRegisterIssuer"], ["issuer": "01890a5d-ac96-774b-bcce-b302099a8057"],
            ["issuer": "01890A5D-AC96-774B-BCCE-B302099A8057"],
            ["kid": "a\nb"], ["kid": " k"], ["alg": "HS256"], ["alg": "none"], ["alg": "RS256"],
            ["public_key": "x"], ["public_key": ["kty": "oct", "k": "AAAA"]], ["colour": "red"],
            ["attributes": ["sub"]], ["attributes": ["exp"]], ["attributes": ["email"]],
            ["milliseconds": "yes"], ["audience": ""],
        ] as [[String: JSONValue?]])
    func refused(changes: [String: JSONValue?]) async throws {
        let answer = try await house.call(.put, path, body: entry(changes))
        #expect(answer.status == 422 && answer.code == "invalid_state")
        let named = changes.keys.contains("alg") || !changes.keys.contains("attributes")
        #expect(named || answer.body.text.contains("attributes"))
        #expect(try await house.call(.get, path).body["items"] == [])
    }

    @Test("Rules for registrations are part of a project's state")
    func rules() async throws {
        func put(_ rules: JSONValue) async throws -> Int {
            try await house.call(.put, "/projects/default", body: ["registration": rules]).status
        }
        #expect(try await put(["methods": ["FSSO"], "test_keys_in_production": true]) == 200)
        let project = try #require(
            try await house.provider.store.projects.project(named: "default"))
        #expect(project.policy.registration.methods == ["signedJWT"])
        #expect(project.policy.registration.testKeysInProduction)
        #expect(try await put(["methods": ["TEAPOT"]]) == 422)
        #expect(try await put(["federated_deregistration": 1]) == 422)
        #expect(
            try await house.call(
                .put, "/projects/default", body: ["policy": ["refresh_grace": 5]]
            ).status == 200)
        let later = try await house.provider.store.projects.project(named: "default")
        #expect(later?.policy.registration.methods == ["signedJWT"])
    }

    @Test("A test key is given out once, listed without its private part, revoked, swept")
    func testKeys() async throws {
        let keys = "/projects/default/test-keys"
        let made = try await house.call(
            .post, keys, body: ["name": "ci", "owner": "olga", "alg": "ES256"])
        #expect(made.status == 201)
        let pem = try #require(made.body["private_key"]?.string)
        let pair = try PrivateJWK(pem: Secret(pem))
        let id = try #require(made.body["key_id"]?.string)
        #expect(pair.publicKey.thumbprintText == id)
        let list = try await house.call(.get, keys)
        #expect(list.body["items"]?.array?.count == 1)
        #expect(!list.body.text.contains("private"))
        #expect(list.body["items"]?.array?.first?["owner"] == "olga")
        // Not an issuer's key, for any endpoint.
        #expect(try await house.call(.get, path).body["items"] == [])
        #expect(try await house.call(.delete, "\(keys)/x").status == 404)
        #expect(try await house.call(.delete, "\(keys)/\(id)").status == 204)
        #expect(try await house.call(.delete, "\(keys)/\(id)").status == 404)
        let swept = try await house.call(.post, keys + "/sweep", body: ["older_than": 0])
        #expect(swept.body["removed"] == 0)
        for age: JSONValue in [-1, "1", 1.5] {
            let refused = try await house.call(.post, keys + "/sweep", body: ["older_than": age])
            #expect(refused.status == 422)
        }
        #expect(try await house.call(.post, keys, body: ["alg": "none"]).status == 422)
        let long = JSONValue.string(String(repeating: "a", count: 129))
        #expect(try await house.call(.post, keys, body: ["name": long]).status == 422)
        #expect(try await house.call(.get, "/projects/x/test-keys").status == 404)
        let actions = try await events()
        #expect(actions.contains("admin.test-key.create"))
        #expect(actions.contains("admin.test-key.revoke"))
        #expect(actions.contains("admin.test-people.sweep"))
    }

    private func events() async throws -> [String] {
        try await house.provider.store.auditLog.auditEvents(AuditFilter(), before: nil, limit: 100)
            .map(\.action)
    }

    @Test("An installation is shown with its person, and ended by an administrator")
    func installations() async throws {
        let person = try await register("carla", realm: "https://idp.example")
        _ = try await register("carla", realm: "")
        let people = "/projects/default/people/\(person.person.id)"
        let shown = try await house.call(.get, people)
        #expect(shown.body["realm"] == "https://idp.example" && shown.body["origin"] == "signedJWT")
        #expect(shown.body["attributes"]?["plan"] == "gold")
        let id = try #require(shown.body["installations"]?.array?.first?["id"]?.string)
        let change = try await house.call(.put, people, body: ["name": "Carla"])
        #expect(change.status == 200)
        let name = change.body["changes"]?.array?.last?["name"]
        #expect(name == "carla (https://idp.example)")
        #expect(
            try await house.provider.store.people.person(person.person.id)?.claims.name == "Carla")
        let local = try await house.call(.get, "/projects/default/people/carla")
        #expect(local.body["name"] == nil && local.body["realm"] == nil)
        #expect(try await house.call(.delete, "\(people)/installations/x").status == 404)
        #expect(try await house.call(.delete, "\(people)/installations/\(id)").status == 204)
        #expect(try await house.call(.delete, "\(people)/installations/\(id)").status == 404)
        #expect(try await house.call(.delete, people).status == 204)
        #expect(try await house.call(.delete, people).status == 404)
        let actions = try await events()
        #expect(actions.count { $0 == "admin.installation.remove" } == 1)
        #expect(actions.count { $0 == "admin.person.remove" } == 1)
        let state = try await house.call(.get, "/state")
        #expect(state.body["projects"]?.array?.first?["users"]?.array?.count == 1)
    }

    private func register(_ name: String, realm: String) async throws -> NewRegistration {
        let provider = house.provider
        let now = provider.clock.now
        let project = try #require(try await provider.store.projects.project(named: "default"))
        func id<R>() -> Identifier<R> { Identifier(now: now, random: provider.random) }
        let person = Person(
            id: id(), project: project.id, username: name, realm: realm, createdAt: now,
            origin: "signedJWT", attributes: #"{"plan":"gold"}"#)
        let new = NewRegistration(
            installation: Installation(
                id: id(), project: project.id, person: person.id,
                registrationID: provider.random.bytes(16), method: "signedJWT",
                binding: provider.random.bytes(32), createdAt: now),
            person: person, credentials: [], uses: [])
        let event = provider.audit.prepare(
            AuditEventDraft(
                "registration.signedJWT", in: project.id,
                facts: RequestMetadata(now: now, requestID: "r", address: "192.0.2.1")))
        #expect(
            try await provider.store.installations.register(new, recording: event) == .registered)
        return new
    }
}
