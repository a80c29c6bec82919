// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// The entitlements that an app reads and consumes for its person.
@Suite struct EntitlementRoutesTests {
    private let house: RegistrationHouse
    private let person: Identifier<Person>
    private let token: String
    private static let request = "5f0c1f3e-6a0f-4f43-8a39-6f1d2b6f7c11"

    init() async throws {
        house = try await RegistrationHouse()
        try await house.oauth.change(client: "app") {
            $0.metadata.scope = "openid offline_access registration entitlements"
        }
        let project = house.oauth.tenant.project.id
        let now = house.oauth.clock.now
        for (name, text) in [("gold", #"{"vaults":10}"#), ("basic", #"{"vaults":1}"#)] {
            try await house.provider.store.entitlements.save(
                EntitlementSet(project: project, name: name, entitlements: text, createdAt: now))
        }
        let key = try AppKey()
        let user = try await house.registered(key)
        person = try #require(Identifier<Person>(user.userID))
        token = try #require(
            try await house.signIn(key, as: user.userID)["access_token"]?.string)
    }

    private func refill(_ amount: Int64) async throws {
        let now = house.oauth.clock.now
        let project = house.oauth.tenant.project.id
        let event = AuditEvent(
            id: Identifier(now: now, random: house.oauth.random), project: project, at: now,
            action: "refill", outcome: .accepted)
        _ = try await house.provider.store.entitlements.changeExpendables(
            ExpendableChange(
                person: person, request: house.oauth.random.bytes(16), amounts: ["sms": amount],
                at: now, rememberedUntil: now + .days(1)), recording: event)
    }

    private func consume(
        _ changes: [String: JSONValue] = [:], token other: String? = nil
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        var body = JSONObject()
        body["request_id"] = .string(Self.request)
        body["name"] = "sms"
        for (name, value) in changes { body[name] = value == .null ? nil : value }
        return try await house.call(
            .post, "/entitlements/consume", .object(body), token: other ?? token)
    }

    @Test("An app sees the set of the moment, when it changes, and what is left")
    func overview() async throws {
        let project = house.oauth.tenant.project.id
        let now = house.oauth.clock.now
        #expect(
            try await house.provider.store.entitlements.save(
                EntitlementSequence(
                    project: project, name: "trial",
                    steps: [.init(set: "gold", duration: 60), .init(set: "basic", duration: nil)],
                    createdAt: now)))
        #expect(
            try await house.provider.store.entitlements.setEntitlements(
                of: person, sequence: "trial", explicit: #"{"beta":true}"#, now: now))
        try await refill(3)
        var answer = try await house.call(.get, "/entitlements", token: token)
        #expect(answer.status == 200 && answer.body["set"] == "gold")
        #expect(answer.body["effective"] == ["beta": true, "vaults": 10])
        #expect(answer.body["sequence"]?["name"] == "trial")
        #expect(answer.body["sequence"]?["changes_at"] == .string((now + .seconds(60)).rfc3339))
        #expect(answer.body["expendable"] == ["sms": 3])
        house.oauth.clock.advance(by: .seconds(60))
        answer = try await house.call(.get, "/entitlements", token: token)
        #expect(answer.body["effective"] == ["beta": true, "vaults": 1])
        #expect(answer.body["sequence"]?["changes_at"] == nil)
    }

    @Test("An amount is consumed once, however often the response is lost")
    func consumption() async throws {
        try await refill(3)
        let first = try await consume(["amount": 2])
        #expect(first.status == 200 && first.body["remaining"] == 1 && first.body["amount"] == 2)
        let again = try await consume(["amount": 2])
        #expect(again.status == 200 && again.body.bytes == first.body.bytes)
        let other = try await consume(["request_id": "5f0c1f3e-6a0f-4f43-8a39-6f1d2b6f7c12"])
        #expect(other.body["remaining"] == 0 && other.body["amount"] == 1)
        let events = try await house.events("entitlement.consumed")
        #expect(events.count == 2 && events.allSatisfy { $0.person == person })
    }

    @Test("Of two apps that want the last one, one gets it")
    func race() async throws {
        try await refill(1)
        async let one = consume(["request_id": "5f0c1f3e-6a0f-4f43-8a39-000000000001"])
        async let two = consume(["request_id": "5f0c1f3e-6a0f-4f43-8a39-000000000002"])
        let answers = try await [one, two]
        #expect(answers.map(\.status).sorted() == [200, 409])
        let refused = try #require(answers.first { $0.status == 409 })
        #expect(refused.body["code"] == "insufficient_entitlements")
    }

    @Test("More than is left is refused, and so is another use under the same name")
    func conflicts() async throws {
        try await refill(1)
        let refused = try await consume(["amount": 2])
        #expect(refused.status == 409 && refused.body["code"] == "insufficient_entitlements")
        #expect(try await consume(["name": "none"]).status == 409)
        #expect(try await consume().status == 200)
        let taken = try await consume(["amount": 3])
        #expect(taken.status == 409 && taken.body["code"] == "request_id_taken")
        let codes = try await house.events("entitlement.consumed").compactMap(\.code)
        #expect(Set(codes) == ["insufficient_entitlements", "request_id_taken"])
    }

    @Test(
        "An invalid request consumes nothing",
        arguments: [
            (["request_id": .null], "missing_input"), (["name": .null], "missing_input"),
            (["request_id": "x"], "malformed_input"), (["request_id": 7], "malformed_input"),
            (["name": "not a name"], "malformed_input"), (["name": true], "malformed_input"),
            (["amount": 0], "malformed_input"), (["amount": -1], "malformed_input"),
            (["amount": "1"], "malformed_input"), (["amount": 1.5], "malformed_input"),
            (["amount": 9_007_199_254_740_992], "malformed_input"),
        ] as [([String: JSONValue], String)])
    func malformed(changes: [String: JSONValue], code: String) async throws {
        try await refill(5)
        let answer = try await consume(changes)
        #expect(answer.status == 400 && answer.body["code"] == .string(code))
        #expect(try await house.provider.store.entitlements.expendables(of: person) == ["sms": 5])
    }

    @Test("Without a token, with an expired one, or without the scope the request is refused")
    func tokens() async throws {
        try await refill(5)
        for other in ["", "x", "a.b.c"] {
            let answer = try await consume(token: other)
            #expect(answer.status == 401 && answer.body["code"] == "not_signed_in")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
        #expect(try await house.call(.get, "/entitlements").status == 401)
        try await house.oauth.change(client: "app") {
            $0.metadata.scope = "openid offline_access registration"
        }
        let key = try AppKey()
        let user = try await house.registered(key, subject: "bea-1")
        let poor = try await house.signIn(key, as: user.userID)["access_token"]?.string
        let answer = try await house.call(.get, "/entitlements", token: poor)
        #expect(answer.status == 403 && answer.body["code"] == "scope_missing")
        #expect(
            answer.headers[.wwwAuthenticate]
                == #"Bearer realm="gatehouse", error="insufficient_scope", scope="entitlements""#)
        #expect(try await house.provider.store.entitlements.expendables(of: person) == ["sms": 5])
    }

    @Test("A disabled person consumes nothing")
    func disabled() async throws {
        try await refill(5)
        var gone = try #require(try await house.provider.store.people.person(person))
        gone.disabled = true
        #expect(try await house.provider.store.people.update(gone, now: house.oauth.clock.now))
        #expect(try await consume().status == 401)
    }

    @Test("The description names both, and the document of addresses leads to it")
    func description() async throws {
        let answer = try await house.call(.get, "/entitlements/openapi.json")
        #expect(answer.body["paths"]?["/entitlements/consume"]?["post"] != nil)
        let places = try await house.call(.get, "/.well-known/gatehouse").body["entitlements"]
        #expect(places?["consume"] == "http://localhost:8080/entitlements/consume")
    }
}
