// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import StorageSQL
import Support
import Synchronization
import Testing

@testable import AdminEndpoints
@testable import HTTPServer
@testable import ProviderTokens

@Suite struct AdminAPITests {
    private let house: AdminHouse

    init() async throws { house = try await AdminHouse() }

    @Test(
        "Without the token nothing is answered",
        arguments: [
            nil, "", "Bearer", "Bearer ", "Bearer gha_tesT", "Bearer gha_test2", "Basic gha_test",
            "gha_test", "Bearer " + String(repeating: "x", count: 4096),
        ] as [String?])
    func unauthorised(authorization: String?) async throws {
        for endpoint in house.api.endpoints {
            let path = endpoint.path.replacing("{project}", with: "default")
                .replacing(/\{[a-z]+\}/, with: "a")
            let answer = try await house.call(
                endpoint.method, path, authorization: authorization)
            #expect(answer.status == 401, "\(endpoint.operation)")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
    }

    @Test(
        "Attack 46: another spelling of a path does not pass by the gate",
        arguments: [
            "/projects/", "//projects", "/./projects", "/../v1/projects", "/%70rojects",
            "/PROJECTS", "/projects%2F", "/projects;x", "/projects%00", "/projects/default/../a",
            "/openapi.json/../projects", "/openapi.json%2f..%2fprojects",
        ])
    func spellings(path: String) async throws {
        let answer = try await house.call(.get, path, authorization: nil)
        #expect([401, 404].contains(answer.status))
        #expect(answer.body["items"] == nil && answer.body["name"] == nil)
    }

    @Test("Every route is in the OpenAPI document, and every operation has a route")
    func documented() async throws {
        let answer = try await house.call(.get, "/openapi.json", authorization: nil)
        #expect(answer.body["openapi"] == "3.1.0")
        let paths = try #require(answer.body["paths"]?.object)
        var documented: Set<String> = []
        for path in paths.members {
            for operation in path.value.object?.members ?? [] {
                documented.insert("\(operation.name.uppercased()) /admin/v1\(path.name)")
            }
        }
        let routed = house.api.routes().filter { !$0.pattern.hasSuffix("/openapi.json") }
            .map { "\($0.method.rawValue) \($0.pattern)" }
        #expect(documented == Set(routed))
        #expect(routed.count == Set(house.api.endpoints.map(\.operation)).count)
    }

    @Test("Every schema that the document names is in it")
    func schemas() async throws {
        let answer = try await house.call(.get, "/openapi.json")
        let schemas = try #require(answer.body["components"]?["schemas"]?.object)
        for part in answer.body.text.split(separator: "#/components/schemas/").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            #expect(schemas[name] != nil, "\(name)")
        }
    }

    @Test("A body must be a JSON object and say so")
    func bodies() async throws {
        let path = "/state/plan"
        #expect(
            try await house.call(.post, path, body: [:], contentType: "text/plain").status == 415)
        for body: JSONValue in [[], 1, "x", .null] {
            #expect(try await house.call(.post, path, body: body).code == "invalid_json")
        }
        #expect(try await house.call(.post, path).code == "invalid_json")
    }

    @Test("An unknown parameter is refused with a suggestion")
    func parameters() async throws {
        let answer = try await house.call(.get, "/projects?limmit=3")
        #expect(answer.code == "unknown_parameter")
        #expect(answer.body["detail"]?.string?.contains("limit") == true)
        #expect(try await house.call(.get, "/projects?limit=1&limit=2").code == "invalid_query")
    }

    @Test("The code of an unknown held name has no space")
    func heldName() async throws {
        let answer = try await house.call(.delete, "/projects/default/held-names/anna")
        #expect(answer.status == 404 && answer.code == "unknown_held_name")
        #expect(answer.body["detail"] == "There is no such held name.")
    }

    @Test(
        "A member that no one reads is refused with a suggestion, and nothing is done",
        arguments: [
            (.post, "test-keys/sweep", ["older_then": 86_400], "older_than"),
            (.post, "test-keys", ["nmae": "ci"], "name"),
            (.post, "keys/rotate", ["algoritm": "RS256"], "algorithm"),
            (.put, "people/anna/entitlements", ["sets": "gold"], "set"),
            (.put, "entitlement-sets/gold", ["entitlements": [:], "nam": "x"], "name"),
            (.post, "people/anna/re-registration", ["livetime": 300], "lifetime"),
        ] as [(HTTPRequest.Method, String, JSONValue, String)])
    func members(
        method: HTTPRequest.Method, path: String, body: JSONValue, hint: String
    ) async throws {
        let before = try await house.provider.store.auditLog.auditEvents(
            AuditFilter(), before: nil, limit: 100)
        let answer = try await house.call(method, "/projects/default/\(path)", body: body)
        #expect(answer.status == 422 && answer.code == "unknown_member")
        #expect(answer.body["detail"]?.string?.contains("\"\(hint)\"") == true)
        let after = try await house.provider.store.auditLog.auditEvents(
            AuditFilter(), before: nil, limit: 100)
        #expect(after == before)
    }

    @Test("A list is read page after page", arguments: [1, 2, 3])
    func paging(limit: Int) async throws {
        for name in ["a", "b", "c", "d"] {
            #expect(try await house.call(.put, "/projects/\(name)", body: [:]).status == 201)
        }
        var names: [String] = []
        var cursor = ""
        repeat {
            let page = try await house.call(.get, "/projects?limit=\(limit)\(cursor)")
            names += page.body["items"]?.array?.compactMap { $0["name"]?.string } ?? []
            cursor = page.body["next"]?.string.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(names == ["a", "b", "c", "d", "default"])
    }

    @Test(
        "Attack 47: a cursor or limit that is not ours is refused",
        arguments: [
            "limit=0", "limit=201", "limit=x", "limit=-1", "cursor=", "cursor=AAAA", "cursor=!",
        ])
    func badPages(query: String) async throws {
        let answer = try await house.call(.get, "/projects?\(query)")
        #expect(answer.status == 400)
    }

    @Test("Attack 47: a cursor of one list is of no use in another")
    func foreignCursor() async throws {
        _ = try await house.call(.put, "/projects/a", body: [:])
        let page = try await house.call(.get, "/projects?limit=1")
        let cursor = try #require(page.body["next"]?.string)
        let answer = try await house.call(.get, "/projects/default/people?cursor=\(cursor)")
        #expect(answer.code == "invalid_cursor")
    }

    @Test(
        "What is not there is 404",
        arguments: [
            "/projects/none", "/projects/none/people", "/projects/none/clients",
            "/projects/none/keys", "/projects/default/people/nobody",
            "/projects/default/clients/nothing", "/audit?project=none", "/state?project=none",
        ])
    func missing(path: String) async throws {
        let answer = try await house.call(.get, path)
        #expect(answer.status == 404)
    }

    @Test("A person is made, shown without secrets, disabled and removed")
    func person() async throws {
        let path = "/projects/default/people/anna"
        let made = try await house.call(
            .put, path, body: ["name": "Anna", "password": "correct horse battery staple"])
        #expect(made.status == 201)
        let shown = try await house.call(.get, path)
        #expect(shown.body["name"] == "Anna")
        #expect(shown.body["credentials"]?.array?.count == 1)
        #expect(!shown.body.text.contains("argon2"))
        let id = try #require(shown.body["sub"]?.string)
        let disabled = try await house.call(
            .put, "/projects/default/people/\(id)", body: ["disabled": true])
        #expect(disabled.status == 200)
        #expect(try await house.call(.get, path).body["disabled"] == true)
        #expect(try await house.call(.delete, path).status == 204)
        #expect(try await house.call(.get, path).status == 404)
    }

    @Test("A wrong document is refused with every place that is wrong")
    func invalid() async throws {
        let answer = try await house.call(
            .post, "/state/apply",
            body: ["projects": [["name": "X"], ["name": "a", "clients": [["client_id": "b"]]]]])
        #expect(answer.status == 422)
        #expect(
            answer.body["errors"]?.array?.compactMap { $0["path"]?.string } == [
                "projects[0].name", "projects[1].clients[0].redirect_uris",
            ])
    }

    @Test("The default project cannot be removed, another one can")
    func removal() async throws {
        #expect(try await house.call(.delete, "/projects/default").code == "default_project")
        _ = try await house.call(.put, "/projects/qa", body: [:])
        #expect(try await house.call(.delete, "/projects/qa").status == 204)
    }

    @Test("A key is rotated and retired; a key that signs cannot be")
    func keys() async throws {
        let path = "/projects/default/keys"
        let before = try #require(try await house.call(.get, path).body["items"]?.array)
        let active = try #require(before.first { $0["state"] == "active" }?["kid"]?.string)
        #expect(try await house.call(.post, "\(path)/\(active)/retire").code == "not_retiring")
        let rotated = try await house.call(.post, "\(path)/rotate", body: [:])
        let states = rotated.body["items"]?.array?.compactMap { $0["state"]?.string }
        #expect(states?.sorted() == ["active", "next", "retiring"])
        #expect(try await house.call(.post, "\(path)/\(active)/retire").status == 200)
        #expect(
            try await house.call(.post, "\(path)/rotate", body: ["algorithm": "none"]).code
                == "invalid_algorithm")
    }

    @Test("After a key is retired, the signatures of tokens are verified again")
    func tokensOfRetiredKey() async throws {
        let path = "/projects/default/keys"
        let keys = try #require(try await house.call(.get, path).body["items"]?.array)
        let kid = try #require(keys.first { $0["state"] == "active" }?["kid"]?.string)
        _ = try await house.call(.post, "\(path)/rotate", body: [:])
        let claims = AccessTokenClaims(
            issuer: "", subject: "", audience: "", clientID: "", scope: "", issuedAt: 0,
            expiresAt: 0, tokenID: [])
        let (provider, now) = (house.provider, house.provider.clock.now)
        let tenant = try #require(try await provider.tenant(named: "default"))
        func cached(
            orElse verified: VerifiedTokenCache.SignedClaims?
        ) async throws -> AccessTokenClaims? {
            let keys = try await provider.keys.publishedKeys(of: tenant)
            return try await provider.verifiedTokens.claims(of: "token", keys: keys, now: now) {
                verified
            }
        }
        #expect(try await cached(orElse: .init(claims: claims, kid: kid)) == claims)
        #expect(try await cached(orElse: nil) == claims)
        #expect(try await house.call(.post, "\(path)/\(kid)/retire").status == 200)
        #expect(try await cached(orElse: nil) == nil)
    }

    @Test("A rotation before the next key is known is refused with its time; at once it is not")
    func earlyRotation() async throws {
        let path = "/projects/default/keys"
        func next(_ answer: AdminHouse.Answer) -> JSONValue? {
            answer.body["items"]?.array?.first { $0["state"] == "next" }
        }
        _ = try await house.call(.get, path)
        let first = try await house.call(.post, "\(path)/rotate", body: [:])
        let time = try #require(next(first)?["can_sign_from"]?.string)
        let early = try await house.call(.post, "\(path)/rotate", body: [:])
        #expect(early.status == 409 && early.code == "not_published_long_enough")
        #expect(early.body["detail"]?.string?.contains(time) == true)
        #expect(next(try await house.call(.get, path)) == next(first))
        let flag = try await house.call(.post, "\(path)/rotate", body: ["at_once": "yes"])
        #expect(flag.status == 422 && flag.code == "invalid_at_once")
        let forced = try await house.call(.post, "\(path)/rotate", body: ["at_once": true])
        #expect(forced.status == 200 && next(forced) != next(first))
    }

    @Test("A backup without a folder, or with a path for a name, is refused")
    func backup() async throws {
        #expect(
            try await house.call(.post, "/store/backup", body: ["name": "x"]).code
                == "no_backup_folder")
    }

    @Test("A backup replaces one of the same name only if the request says so, and names its host")
    func backupTwice() async throws {
        let folder = TestFolder()
        let house = try await AdminHouse(
            backups: BackupDirectory(path: folder.path(""), host: "login-1"))
        let first = try await house.call(.post, "/store/backup", body: ["name": "x"])
        #expect(first.status == 201 && first.body["host"] == "login-1", "\(first.body)")
        let second = try await house.call(.post, "/store/backup", body: ["name": "x"])
        #expect(second.status == 409 && second.code == "backup_exists", "\(second.body)")
        let third = try await house.call(
            .post, "/store/backup", body: ["name": "x", "replace": true])
        #expect(third.status == 201)
        let wrong = try await house.call(.post, "/store/backup", body: ["name": "x", "replace": 1])
        #expect(wrong.code == "invalid_replace", "\(wrong.body)")
        #expect(folder.files == ["x"])
    }

    @Test("A process refuses a backup of a database that a newer version has migrated")
    func backupOfNewerSchema() async throws {
        let (store, folder) = (try await CountedStore(), TestFolder())
        let house = try await AdminHouse(
            store: store.store, backups: BackupDirectory(path: folder.path("."), host: "login-1"))
        let made = try await house.call(.post, "/store/backup", body: ["name": "before"])
        #expect(made.status == 201, "\(made.body)")
        _ = try await store.engine.change(
            "INSERT INTO schema_steps (number, name) VALUES (9999, 'future')")
        let refused = try await house.call(.post, "/store/backup", body: ["name": "after"])
        #expect(refused.status == 409 && refused.code == "newer_schema", "\(refused.body)")
        #expect(folder.files == ["before"])
    }

    @Test(
        "A filter of the audit trail must be right",
        arguments: ["person=anna", "outcome=maybe", "since=yesterday"])
    func filters(query: String) async throws {
        #expect(try await house.call(.get, "/audit?\(query)").status == 400)
    }

    @Test("What was done is in the audit trail, with what was refused")
    func audit() async throws {
        _ = try await house.call(.put, "/projects/qa", body: [:])
        let page = try await house.call(.get, "/audit?action=admin.&project=qa")
        #expect(page.body["items"]?.array?.map { $0["action"] } == ["admin.project.create"])
    }

    @Test("After rotation the old token is refused and the new one kept and taken")
    func rotation() async throws {
        let kept = Mutex<Secret?>(nil)
        let house = try await AdminHouse { fresh in kept.withLock { $0 = fresh } }
        let answer = try await house.call(.post, "/token/rotate")
        let fresh = try #require(answer.body["token"]?.string)
        #expect(kept.withLock { $0?.revealText() } == fresh)
        #expect(try await house.call(.get, "/projects").status == 401)
        let taken = try await house.call(.get, "/projects", authorization: "Bearer \(fresh)")
        #expect(taken.status == 200)
    }

    @Test("the operator creates a new first link after a loss, and an event is recorded")
    func setUpLink() async throws {
        let house = try await AdminHouse()
        let answer = try await house.call(.post, "/setup-link")
        let url = try #require(answer.body["url"]?.string)
        let token = String(url[try #require(url.firstRange(of: "?token=")).upperBound...])
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let link = SetUpLink(
            house.provider, project: tenant.project.id, now: house.provider.clock.now)
        #expect(try await link.isActive(token) && answer.body["expires_at"]?.string != nil)
        let trail = try await house.call(.get, "/audit?action=admin.setup_link")
        #expect(trail.body["items"]?.array?.count == 1)
    }

    @Test("a person who lost every key gets a recovery link, and an event is recorded")
    func reRegistration() async throws {
        let house = try await AdminHouse()
        _ = try await house.call(.put, "/projects/default/people/anna", body: ["name": "Anna"])
        let path = "/projects/default/people/anna/re-registration"
        let opened = try await house.call(.post, path, body: ["lifetime": 3600])
        #expect(opened.status == 201)
        #expect(opened.body["url"]?.string?.contains("/reregister?token=") == true)
        #expect(opened.body["expires_at"]?.string != nil)
        for lifetime in [1, 604_801] as [JSONValue] {
            #expect(
                try await house.call(.post, path, body: ["lifetime": lifetime]).code
                    == "invalid_lifetime")
        }
        let nobody = "/projects/default/people/nobody/re-registration"
        #expect(try await house.call(.post, nobody, body: [:]).code == "unknown_person")
        #expect(try await house.call(.delete, path).status == 204)
        #expect(try await house.call(.delete, path).code == "unknown_link")
        var filter = AuditFilter()
        filter.action = "admin.person.re-registration."
        #expect(
            try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 10)
                .count == 2)
    }
}
