// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import Testing

@testable import AdminEndpoints
@testable import HTTPServer

/// Tokens of the Admin API that bear a role: what each reaches, call by call, and what ends them.
@Suite struct APITokenTests {
    private let house: AdminHouse

    init() async throws {
        house = try await AdminHouse()
        #expect(try await house.call(.put, "/projects/qa", body: [:]).status == 201)
    }

    private func make(
        _ role: Administrator.Role, in project: String = "qa", lifetime: JSONValue? = nil
    ) async throws -> (id: String, bearer: String) {
        var body: JSONObject = JSONObject()
        body["name"] = "ci"
        body["role"] = .string(role.rawValue)
        body["lifetime"] = lifetime
        let made = try await house.call(
            .post, "/projects/\(project)/api-tokens", body: .object(body))
        #expect(made.status == 201)
        return (
            try #require(made.body["id"]?.string),
            "Bearer " + (try #require(made.body["token"]?.string))
        )
    }

    /// A call of the endpoint that names this project wherever one can be named.
    private func path(_ endpoint: AdminEndpoint, _ project: String) -> String {
        let segments = endpoint.path.split(separator: "/").map { segment in
            segment == "{project}" ? project : segment.hasPrefix("{") ? "nothing" : String(segment)
        }
        let named = endpoint.query.contains { $0.name == "project" } ? "?project=\(project)" : ""
        return "/" + segments.joined(separator: "/") + named
    }

    private func body(_ endpoint: AdminEndpoint, _ project: String) -> JSONValue? {
        guard let name = endpoint.body else { return nil }
        return name == "State" ? ["projects": [["name": .string(project)]]] : [:]
    }

    private func reaches(_ endpoint: AdminEndpoint) -> Bool {
        path(endpoint, "qa").contains("qa") || endpoint.body == "State"
    }

    @Test(
        "a token does in its project what the table allows its role, and nothing elsewhere",
        arguments: APITokens.roles)
    func cells(_ role: Administrator.Role) async throws {
        let bearer = try await make(role).bearer
        for endpoint in house.api.endpoints {
            let body = body(endpoint, "qa")
            let action = endpoint.operation.right(for: body ?? .null)
            let isAllowed =
                action?.isAllowed(to: role) == true && action != .changeAPITokens
                && reaches(endpoint)
            let own = try await house.call(
                endpoint.method, path(endpoint, "qa"), body: body, authorization: bearer)
            #expect((own.status == 403) == !isAllowed, "\(endpoint.operation): \(own.status)")
            #expect(own.status != 401 && own.status != 503, "\(endpoint.operation)")
            let other = try await house.call(
                endpoint.method, path(endpoint, "default"), body: self.body(endpoint, "default"),
                authorization: bearer)
            #expect(
                other.status == (isAllowed ? 404 : 403), "\(endpoint.operation): \(other.status)")
            if isAllowed { #expect(other.code == "unknown_project", "\(endpoint.operation)") }
        }
        let qa = try #require(try await house.provider.store.projects.project(named: "qa"))
        #expect(
            try await house.provider.store.apiTokens.apiTokens(of: qa.id, after: nil, limit: 9)
                .count == 1)
    }

    @Test("a token without a project, or with another in addition to its own, is refused")
    func namesNoProject() async throws {
        let bearer = try await make(.projectAdministrator).bearer
        for path in ["/audit", "/state", "/projects", "/administrators", "/store"] {
            #expect(
                try await house.call(.get, path, authorization: bearer).status == 403, "\(path)")
        }
        let documents: [(JSONValue, Int)] = [
            ([:], 403), (["projects": []], 403), (["projects": ["qa"]], 404),
            (["projects": [["name": "qa"], ["name": "default"]]], 404),
            (["projects": [["name": "new"]]], 404),
            (["projects": [["name": "qa"]], "administrators": []], 403),
            (["projects": [["name": "qa"]]], 200),
        ]
        for (document, status) in documents {
            for act in ["plan", "apply"] {
                let answer = try await house.call(
                    .post, "/state/\(act)", body: document, authorization: bearer)
                #expect(answer.status == status, "\(document.text)")
            }
        }
        #expect(try await house.provider.store.projects.project(named: "new") == nil)
    }

    @Test("support can disable a person, and change no other setting")
    func supportOnPeople() async throws {
        let path = "/projects/qa/people/anna"
        #expect(try await house.call(.put, path, body: ["name": "Anna"]).status == 201)
        let bearer = try await make(.support).bearer
        for body in [
            [:], ["password": "hunter2hunter2"], ["email": "x@example.com"],
            ["disabled": true, "groups": ["staff"]],
        ] as [JSONValue] {
            let answer = try await house.call(.put, path, body: body, authorization: bearer)
            #expect(answer.status == 403, "\(body.text)")
        }
        let disabled = try await house.call(
            .put, path, body: ["disabled": true], authorization: bearer)
        #expect(disabled.status == 200)
        #expect(try await house.call(.get, path).body["disabled"] == true)
        // The request does not insert a person.
        let nobody = try await house.call(
            .put, "/projects/qa/people/nobody", body: ["disabled": true], authorization: bearer)
        #expect(nobody.code == "unknown_person")
    }

    @Test("a token cannot change the account of a person with more rights")
    func standing() async throws {
        for name in ["olga", "dora"] {
            _ = try await house.call(.put, "/projects/default/people/\(name)", body: ["name": "O"])
        }
        _ = try await house.call(.put, "/administrators/olga", body: ["role": "owner"])
        let grant: JSONValue = ["role": "support", "project": "default"]
        _ = try await house.call(.put, "/administrators/dora", body: grant)
        let bearer = try await make(.projectAdministrator, in: "default").bearer
        let root = "/projects/default/people/olga"
        let calls: [(HTTPRequest.Method, String, JSONValue?)] = [
            (.put, "", ["password": "correct horse battery staple"]),
            (.put, "", ["disabled": true]),
            (.delete, "", nil), (.delete, "/sessions", nil), (.post, "/re-registration", [:]),
            (.delete, "/re-registration", nil), (.delete, "/installations/x", nil),
        ]
        for (method, path, body) in calls {
            let answer = try await house.call(
                method, root + path, body: body, authorization: bearer)
            #expect(answer.status == 403 && answer.code == "higher_role", "\(method) \(path)")
        }
        let users: JSONValue = [
            ["username": "olga", "password": "correct horse battery staple"]
        ]
        let document: JSONValue = ["projects": [["name": "default", "users": users]]]
        for (method, path, body) in [
            (.post, "/state/apply", document), (.put, "/projects/default", ["users": users]),
        ] as [(HTTPRequest.Method, String, JSONValue)] {
            let answer = try await house.call(method, path, body: body, authorization: bearer)
            #expect(answer.status == 422, "\(path)")
            #expect(answer.body["errors"]?.array?.first?["path"] == "olga", "\(path)")
        }
        let shown = try await house.call(.get, root)
        #expect(shown.body["credentials"] == [] && shown.body["disabled"] != true)
        // Whose role is less is theirs to look after.
        let dora = try await house.call(
            .put, "/projects/default/people/dora", body: ["name": "Dora"], authorization: bearer)
        #expect(dora.status == 200)
    }

    @Test("a token that is not ours, ended or was revoked opens nothing")
    func ended() async throws {
        let (id, bearer) = try await make(.auditor, lifetime: 3600)
        let path = "/projects/qa/people"
        #expect(try await house.call(.get, path, authorization: bearer).status == 200)
        for wrong in [bearer + "x", String(bearer.dropLast()), "Bearer ghr_", "Bearer ghr_x"] {
            #expect(try await house.call(.get, path, authorization: wrong).status == 401)
        }
        let revoked = try await house.call(.delete, "/projects/qa/api-tokens/\(id)")
        #expect(revoked.status == 204)
        #expect(try await house.call(.get, path, authorization: bearer).status == 401)
        let again = try await house.call(.delete, "/projects/qa/api-tokens/\(id)")
        #expect(again.code == "unknown_api_token")
        let other = try await make(.auditor).id
        let elsewhere = try await house.call(.delete, "/projects/default/api-tokens/\(other)")
        #expect(elsewhere.code == "unknown_api_token")
        let states = try await house.call(.get, "/projects/qa/api-tokens")
        #expect(states.body["items"]?.array?.map { $0["state"] } == ["revoked", "active"])
    }

    @Test("a token ends with its time, and says when it was used last")
    func expiry() async throws {
        let clock = house.provider.clock.now
        let project = try #require(try await house.provider.store.projects.project(named: "qa"))
        var facts = RequestMetadata(now: clock, requestID: "r", address: "192.0.2.1")
        let made = try await APITokens(house.provider, facts: facts).make(
            "ci", role: .support, lifetime: .hours(1), in: project, rights: nil
        ).get()
        func find(at time: Timestamp) async throws -> APIToken? {
            facts.now = time
            return try await APITokens(house.provider, facts: facts).find(made.text)
        }
        #expect(try await find(at: clock + .minutes(5)) != nil)
        let used = try await house.provider.store.apiTokens.apiToken(hash: made.0.hash)?.lastUsedAt
        #expect(used == clock + .minutes(5))
        #expect(try await find(at: clock + .hours(1) - .seconds(1)) != nil)
        #expect(try await find(at: clock + .hours(1)) == nil)
    }

    @Test(
        "a token above one's own role, with an owner's role, or with too long a lifetime is refused"
    )
    func making() async throws {
        let project = try #require(try await house.provider.store.projects.project(named: "qa"))
        let facts = RequestMetadata(now: house.provider.clock.now, requestID: "r", address: "")
        func make(
            _ role: Administrator.Role, by own: Administrator.Role, in scope: Project?
        ) async throws -> String? {
            let roles = [
                Administrator(
                    id: Identifier(now: facts.now, random: house.provider.random),
                    person: Identifier(now: facts.now, random: house.provider.random),
                    project: scope?.id, role: own, createdAt: facts.now)
            ]
            let made = try await APITokens(house.provider, facts: facts).make(
                "ci", role: role, lifetime: .hours(1), in: project,
                rights: AdministratorRights(roles))
            guard case .failure(let refusal) = made else { return nil }
            return refusal.code
        }
        let home = try await house.provider.store.projects.project(named: "default")
        for role in APITokens.roles {
            #expect(try await make(role, by: .owner, in: nil) == nil)
            #expect(try await make(role, by: .projectAdministrator, in: project) == nil)
            #expect(try await make(role, by: .projectAdministrator, in: home) == "higher_role")
        }
        #expect(try await make(.owner, by: .owner, in: nil) == "owner_of_all")
        for (own, role) in [
            (.support, .projectAdministrator), (.developer, .support), (.auditor, .developer),
            (.support, .auditor),
        ] as [(Administrator.Role, Administrator.Role)] {
            #expect(try await make(role, by: own, in: nil) == "higher_role", "\(own) \(role)")
        }
        let path = "/projects/qa/api-tokens"
        for (body, code) in [
            (["name": "ci", "role": "king"], "invalid_role"),
            (["name": "ci", "role": 7], "invalid_role"),
            (["name": "ci"], "invalid_role"), (["role": "support"], "invalid_name"),
            (["name": "", "role": "support"], "invalid_name"),
            (["name": "a\u{7F}", "role": "support"], "invalid_name"),
            (["name": "ci", "role": "support", "lifetime": 3599], "invalid_lifetime"),
            (["name": "ci", "role": "support", "lifetime": 31_622_401], "invalid_lifetime"),
            (["name": "ci", "role": "support", "lifetime": "1d"], "invalid_lifetime"),
            (["name": "ci", "role": "support", "project": "x"], "unknown_member"),
        ] as [(JSONValue, String)] {
            let answer = try await house.call(.post, path, body: body)
            #expect(answer.status == 422 && answer.code == code, "\(body.text)")
        }
        let owner = try await house.call(.post, path, body: ["name": "ci", "role": "owner"])
        #expect(owner.code == "owner_of_all")
        let nowhere = try await house.call(
            .post, "/projects/nowhere/api-tokens", body: ["name": "ci", "role": "support"])
        #expect(nowhere.code == "unknown_project")
    }

    @Test("the trail names the token and its maker; the token itself is kept nowhere")
    func audit() async throws {
        let (id, bearer) = try await make(.projectAdministrator)
        let secret = String(bearer.dropFirst("Bearer ".count))
        _ = try await house.call(
            .put, "/projects/qa/people/anna", body: ["name": "A"], authorization: bearer)
        let events = try await house.call(.get, "/audit?project=qa&action=admin.person.create")
        let details = try #require(events.body["items"]?.array?.first?["details"])
        #expect(details["api_token"] == "ci" && details["api_token_id"] == .string(id))
        // Created with the operator's token, so without a person's name.
        #expect(details["by"] == nil)
        let made = try await house.call(.get, "/audit?project=qa&action=admin.api-token.create")
        #expect(made.body["items"]?.array?.first?["details"]?["role"] == "project_administrator")
        let listed = try await house.call(.get, "/projects/qa/api-tokens")
        for text in [made.body.text, listed.body.text, try await state().text] {
            #expect(!text.contains(secret) && !text.contains("ghr_"))
        }
        let qa = try #require(try await house.provider.store.projects.project(named: "qa"))
        let kept = try await house.provider.store.apiTokens.apiTokens(
            of: qa.id, after: nil, limit: 5)
        #expect(kept.first?.hash.count == 32)
        #expect(kept.first?.lastUsedAt != nil)
    }

    private func state() async throws -> JSONValue {
        try await house.call(.get, "/state").body
    }
}
