// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Testing

/// What an administrator changes and the event of it are one commit: a crash leaves both or neither.
@Suite struct AdminCommitTests {
    private let counted: CountedStore
    private let house: AdminHouse
    private static let root = "/projects/default"

    init() async throws {
        counted = try await CountedStore()
        house = try await AdminHouse(store: counted.store)
    }

    /// Does it, and expects one commit with that event in it.
    @discardableResult
    private func expectOne(
        _ action: String, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
    ) async throws -> JSONValue {
        var filter = AuditFilter()
        filter.action = action
        let store = house.provider.store
        let before = try await store.auditLog.auditEvents(filter, before: nil, limit: 100).count
        var answer: AdminHouse.Answer?
        let cost = try await counted.engine.count {
            answer = try await house.call(method, Self.root + path, body: body)
        }
        let status = try #require(answer?.status)
        #expect((200..<300).contains(status), "\(method) \(path): \(status)")
        #expect(cost.writes == 1, "\(method) \(path)")
        let after = try await store.auditLog.auditEvents(filter, before: nil, limit: 100).count
        #expect(after == before + 1, "\(action)")
        return answer?.body ?? .null
    }

    private func firstID(_ path: String) async throws -> String {
        let items = try await house.call(.get, Self.root + path).body["items"]
        return try #require(items?.array?.first?["id"]?.string)
    }

    @Test("an issuer's key, made and removed, is one commit with its event")
    func issuerKeys() async throws {
        let key = try PrivateJWK.generate(for: .es256).publicKey.json
        let body: JSONValue = ["issuer": "idp", "kid": "k1", "alg": "ES256", "public_key": key]
        try await expectOne("admin.issuer-key.create", .put, "/issuer-keys", body)
        let id = try await firstID("/issuer-keys")
        try await expectOne("admin.issuer-key.remove", .delete, "/issuer-keys/\(id)")
    }

    @Test("a test key, made and revoked, is one commit with its event")
    func testKeys() async throws {
        let made = try await expectOne(
            "admin.test-key.create", .post, "/test-keys", ["name": "ci", "alg": "ES256"])
        let id = try #require(made["key_id"]?.string)
        try await expectOne("admin.test-key.revoke", .delete, "/test-keys/\(id)")
    }

    @Test("clients, people, providers, sets, sequences and tokens: each is one commit as well")
    func others() async throws {
        let client: JSONValue = [
            "redirect_uris": ["https://shop.example/cb"], "token_endpoint_auth_method": "none",
        ]
        try await expectOne("admin.client.create", .put, "/clients/shop", client)
        try await expectOne("admin.client.remove", .delete, "/clients/shop")
        try await expectOne("admin.person.create", .put, "/people/bea", ["name": "Bea"])
        try await expectOne("admin.person.update", .put, "/people/bea", ["name": "Bea B"])
        try await expectOne("admin.person.sign-out", .delete, "/people/bea/sessions")
        let upstream: JSONValue = [
            "kind": "oidc", "issuer": "https://acme.example", "client_id": "gatehouse",
            "token_endpoint_auth_method": "none",
        ]
        try await expectOne(
            "admin.identity-provider.create", .put, "/identity-providers/acme", upstream)
        try await expectOne(
            "admin.identity-provider.remove", .delete, "/identity-providers/acme")
        let gold: JSONValue = ["entitlements": ["sms": 5]]
        try await expectOne("admin.entitlement-set.put", .put, "/entitlement-sets/gold", gold)
        try await expectOne(
            "admin.entitlement-sequence.put", .put, "/entitlement-sequences/trial",
            ["steps": [["set": "gold", "duration": 60]]])
        for given in [["set": "gold"], ["sequence": "trial"], ["set": ""]] as [JSONValue] {
            try await expectOne(
                "admin.person.entitlements", .put, "/people/bea/entitlements", given)
        }
        try await expectOne(
            "admin.entitlement-sequence.remove", .delete, "/entitlement-sequences/trial")
        try await expectOne("admin.entitlement-set.remove", .delete, "/entitlement-sets/gold")
        try await expectOne(
            "admin.registration-token.create", .post, "/registration-tokens", [:])
        let token = try await firstID("/registration-tokens")
        try await expectOne(
            "admin.registration-token.revoke", .delete, "/registration-tokens/\(token)")
        try await expectOne(
            "admin.project.update", .put, "/systems/ios", ["minimum_version": "17"])
    }

    @Test("keys that are rotated and retired: one commit each")
    func keys() async throws {
        for (kind, path, name) in [
            ("key", "/keys", "kid"), ("encryption-key", "/encryption-keys", "id"),
        ] {
            // The first ones are made when they are asked for.
            _ = try await house.call(.get, Self.root + path)
            let after = try await expectOne("admin.\(kind).rotate", .post, "\(path)/rotate", [:])
            let retiring = after["items"]?.array?.first { $0["state"] == "retiring" }
            let id = try #require(retiring?[name]?.string)
            try await expectOne("admin.\(kind).retire", .post, "\(path)/\(id)/retire", [:])
        }
    }

    @Test("a project that goes takes its trail along, and the event of that stays")
    func projects() async throws {
        #expect(try await house.call(.put, "/projects/qa", body: [:]).status == 201)
        var filter = AuditFilter()
        filter.action = "admin.project.remove"
        var status = 0
        let cost = try await counted.engine.count {
            status = try await house.call(.delete, "/projects/qa").status
        }
        #expect(status == 204 && cost.writes == 1)
        let store = house.provider.store
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 9).count == 1)
    }

    @Test("a role that is given and taken is one commit with its event")
    func roles() async throws {
        _ = try await house.call(.put, Self.root + "/people/pia", body: ["name": "Pia"])
        for (method, action, body) in [
            (.put, "grant", ["role": "auditor"]), (.delete, "revoke", nil),
        ] as [(HTTPRequest.Method, String, JSONValue?)] {
            var status = 0
            let cost = try await counted.engine.count {
                status = try await house.call(method, "/administrators/pia", body: body).status
            }
            #expect((200..<300).contains(status) && cost.writes == 1)
            var filter = AuditFilter()
            filter.action = "admin.role.\(action)"
            let found = try await house.provider.store.auditLog.auditEvents(
                filter, before: nil, limit: 9)
            #expect(found.count == 1)
        }
    }

    @Test("a change that is refused because of a concurrent one has its event")
    func conflict() async throws {
        _ = try await house.call(.put, Self.root + "/people/bea", body: ["name": "Bea"])
        let store = house.provider.store
        let project = try #require(try await store.projects.project(named: "default")).id
        // She is deleted between the read and the write.
        counted.engine.interrupt(
            CountingEngine.transaction,
            by: [
                {
                    let bea = try await store.people.person(username: "bea", in: project)
                    if let bea {
                        try await store.people.remove(person: bea.id, now: .init(seconds: 0))
                    }
                }
            ])
        let answer = try await house.call(.put, Self.root + "/people/bea", body: ["name": "B"])
        #expect(answer.status == 409 || answer.status == 422, "\(answer.status)")
        var filter = AuditFilter()
        (filter.action, filter.outcome) = ("admin.person.update", .refused)
        let found = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
        #expect(found.map(\.code) == ["conflict"])
        filter.outcome = .accepted
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 9).isEmpty)
    }
}
