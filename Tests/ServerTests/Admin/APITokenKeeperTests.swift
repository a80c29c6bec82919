// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import Support
import Synchronization
import Testing

/// An API token's rights never exceed its owner's current rights.
@Suite struct APITokenKeeperTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let random = SystemRandomSource()

    private func identifier<Record>() -> Identifier<Record> {
        Identifier(now: now, random: random)
    }

    // MARK: The table

    @Test(
        "Attack 64: cell by cell: what both its own role and its keeper's allow, where both hold",
        arguments: APITokens.roles)
    func cells(role: Administrator.Role) {
        let (qa, other): (Identifier<Project>, Identifier<Project>) = (identifier(), identifier())
        let token = APIToken(
            id: identifier(), project: qa, hash: [], name: "ci", role: role, maker: identifier(),
            makerName: "olga", createdAt: now, expiresAt: now + .days(1))
        for keeper in Administrator.Role.allCases {
            for scope in [nil, qa, other] {
                let held = Administrator(
                    id: identifier(), person: identifier(), project: scope, role: keeper,
                    createdAt: now)
                let rights = AdministratorRights(token, within: [held])
                let reaches = scope != other
                #expect(rights.knows(qa) == reaches && !rights.knows(other))
                for action in ConsoleAction.allCases {
                    let both = action.isAllowed(to: role) && action.isAllowed(to: keeper)
                    #expect(rights.may(action, in: qa) == (both && reaches), "\(keeper) \(action)")
                    #expect(!rights.may(action, in: other) && !rights.may(action, in: nil))
                }
                if rights.covers(keeper, in: qa), reaches {
                    #expect(AdministratorRights([held]).covers(keeper, in: qa))
                }
            }
        }
        let left = AdministratorRights(token, within: [])
        let whole = AdministratorRights(token, within: nil)
        #expect(!left.knows(qa) && whole.knows(qa))
        for action in ConsoleAction.allCases {
            #expect(!left.may(action, in: qa))
            #expect(whole.may(action, in: qa) == action.isAllowed(to: role))
        }
    }

    // MARK: Over HTTP

    /// A token of Olga's, and what it is answered.
    private struct Program {
        let house: ConsoleHouse
        let id: Identifier<APIToken>
        let bearer: String

        init(_ role: Administrator.Role) async throws {
            house = try await ConsoleHouse()
            _ = try await house.administrator(.projectAdministrator, in: house.qa)
            let provider = house.pages.provider
            var facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
            facts.administrator = try await house.pages.person("olga").id
            let made = try await APITokens(provider, facts: facts).make(
                "ci", role: role, lifetime: .days(1), in: house.qa, rights: nil
            ).get()
            (id, bearer) = (made.0.id, made.text)
        }

        func ask(
            _ path: String, _ method: HTTPRequest.Method = .get
        ) async throws -> (status: Int, code: String?) {
            var browser = house.pages.browser()
            let answer = try await browser.send(
                method, "/admin/v1/projects/qa" + path,
                headers: [.authorization: "Bearer \(bearer)"], body: [])
            let json = try? JSONParser.parse(Array(answer.text.utf8), maximumBytes: 65_536)
            return (Int(answer.status.code), json?["code"]?.string)
        }
    }

    @Test(
        "Attack 64: a role that is made less makes the token less, and gives nothing back that it never had"
    )
    func reduced() async throws {
        let program = try await Program(.support)
        let house = program.house
        try await house.person("bea", in: house.qa)
        #expect(try await program.ask("/people/bea/sessions", .delete).status == 204)
        try await house.give(.auditor, to: "olga", in: house.qa)
        #expect(try await program.ask("/people").status == 200)
        let refused = try await program.ask("/people/bea/sessions", .delete)
        #expect(refused.status == 403 && refused.code == "not_allowed")
        // An auditor sees signing keys; a token of support's never did.
        #expect(try await program.ask("/keys").status != 200)
        try await house.give(.projectAdministrator, to: "olga", in: house.qa)
        #expect(try await program.ask("/people/bea/sessions", .delete).status == 204)
        #expect(try await program.ask("/people/bea", .delete).status == 403)
    }

    @Test("Attack 64: whose maker has no role there, is disabled or gone does nothing at all")
    func refused() async throws {
        let program = try await Program(.projectAdministrator)
        let house = program.house
        func expectNothing() async throws {
            for path in ["/people", "/clients", "/api-tokens", ""] {
                let answer = try await program.ask(path)
                #expect(answer.status == 403 && answer.code == "maker_left", "\(path)")
            }
        }
        let olga = try await house.pages.person("olga")
        var disabled = olga
        disabled.disabled = true
        #expect(try await house.store.people.update(disabled, now: house.pages.clock.now))
        try await expectNothing()
        #expect(try await house.store.people.update(olga, now: house.pages.clock.now))
        #expect(try await program.ask("/people").status == 200)
        #expect(
            try await house.store.administrators.dismiss(administrator: olga.id, of: house.qa.id)
                == .dismissed)
        try await expectNothing()
        // A role elsewhere is none here.
        try await house.give(.projectAdministrator, to: "olga", in: house.home)
        try await expectNothing()
        try await house.store.people.remove(person: olga.id)
        try await expectNothing()
    }

    @Test("a transfer requires a permitted owner; a token's rights never exceed its owner's")
    func handingOver() async throws {
        let program = try await Program(.developer)
        let house = program.house
        let provider = house.pages.provider
        for (name, role) in [("pia", Administrator.Role.projectAdministrator), ("sam", .support)] {
            try await house.person(name)
            try await house.give(role, to: name, in: house.qa)
        }
        var facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
        func handOver(
            to name: String?, by own: Administrator.Role? = nil,
            _ id: Identifier<APIToken>? = nil, of project: Project? = nil
        ) async throws -> String {
            let successor: Person? =
                if let name { try await house.pages.person(name) } else { nil }
            facts.administrator = own == nil ? nil : successor?.id
            let rights = own.map { role in
                AdministratorRights([
                    Administrator(
                        id: identifier(), person: identifier(), project: house.qa.id, role: role,
                        createdAt: now)
                ])
            }
            let outcome = try await APITokens(provider, facts: facts).handOver(
                id ?? program.id, of: project ?? house.qa, to: successor, keepsSecret: true,
                rights: rights)
            switch outcome {
            case .success: return "done"
            case .failure(let refusal): return refusal.code
            }
        }
        #expect(try await handOver(to: "sam") == "successor_less")
        #expect(try await handOver(to: "pia", by: .support) == "higher_role")
        // To the operator, who may all, the operator alone.
        #expect(try await handOver(to: nil, by: .projectAdministrator) == "not_yourself")
        #expect(try await handOver(to: "pia", identifier()) == "unknown_api_token")
        #expect(try await handOver(to: "pia", of: house.home) == "unknown_api_token")
        #expect(
            try await house.store.apiTokens.apiToken(program.id, of: house.qa.id)?.makerName
                == "olga")
        #expect(try await handOver(to: "pia", by: .projectAdministrator) == "done")
        let kept = try await house.store.apiTokens.apiToken(program.id, of: house.qa.id)
        #expect(kept?.makerName == "pia" && kept?.role == .developer)
        try await house.store.people.remove(person: try await house.pages.person("olga").id)
        #expect(try await program.ask("/test-keys").status == 200)
        #expect(try await program.ask("/people").status == 403)
        #expect(try await handOver(to: nil) == "done")
        #expect(try await house.store.apiTokens.apiToken(program.id, of: house.qa.id)?.maker == nil)
        var filter = AuditFilter()
        filter.action = "admin.api-token.hand-over"
        #expect(
            try await house.store.auditLog.auditEvents(filter, before: nil, limit: 9).count == 2)
        #expect(
            try await APITokens(provider, facts: facts).revoke(program.id, of: house.qa))
        #expect(try await handOver(to: "pia") == "unknown_api_token")
    }

    @Test(
        "Attack 64: the former owner's copy of a transferred token is useless: the secret changes")
    func rotated() async throws {
        let program = try await Program(.developer)
        let house = program.house
        try await house.person("pia")
        try await house.give(.projectAdministrator, to: "pia", in: house.qa)
        let facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
        let tokens = APITokens(house.pages.provider, facts: facts)
        let before = try #require(
            try await house.store.apiTokens.apiToken(program.id, of: house.qa.id))
        let (moved, text) = try await tokens.handOver(
            program.id, of: house.qa, to: try await house.pages.person("pia"), rights: nil
        ).get()
        let new = try #require(text)
        #expect(try await program.ask("/test-keys").status == 401)
        #expect(try await tokens.find(program.bearer) == nil)
        #expect(try await tokens.find(new)?.id == program.id)
        #expect(moved.makerName == "pia" && moved.expiresAt == before.expiresAt)
        var filter = AuditFilter()
        filter.action = "admin.api-token.hand-over"
        let event = try #require(
            try await house.store.auditLog.auditEvents(filter, before: nil, limit: 9).first)
        #expect(event.details.contains("new") && !event.details.contains(new))
    }

    @Test(
        "Attack 64: an administrator who is about to leave cannot transfer a token with its old secret",
        arguments: [Administrator.Role.owner, .projectAdministrator], [true, false])
    func given(own: Administrator.Role, keepsSecret: Bool) async throws {
        let program = try await Program(.developer)
        let house = program.house
        try await house.person("pia")
        try await house.give(.projectAdministrator, to: "pia", in: house.qa)
        let olga = try await house.pages.person("olga")
        let pia = try await house.pages.person("pia")
        var facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
        let scope = own == .owner ? nil : house.qa.id
        func hand(to successor: Person?, by administrator: Person) async throws -> String {
            facts.administrator = administrator.id
            let held = Administrator(
                id: identifier(), person: administrator.id, project: scope, role: own,
                createdAt: now)
            let outcome = try await APITokens(house.pages.provider, facts: facts).handOver(
                program.id, of: house.qa, to: successor, keepsSecret: keepsSecret,
                rights: AdministratorRights([held]))
            switch outcome {
            case .success(let (token, text)): return "\(token.makerName) \(text != nil)"
            case .failure(let refusal): return refusal.code
            }
        }
        let before = try #require(
            try await house.store.apiTokens.apiToken(program.id, of: house.qa.id))
        #expect(try await hand(to: pia, by: olga) == "not_yourself")
        #expect(try await hand(to: nil, by: olga) == "not_yourself")
        let after = try #require(
            try await house.store.apiTokens.apiToken(program.id, of: house.qa.id))
        #expect(after.maker == olga.id && after.hash == before.hash)
        #expect(try await hand(to: pia, by: pia) == "pia \(!keepsSecret)")
        #expect(try await hand(to: olga, by: olga) == "olga \(!keepsSecret)")
    }

    @Test("of two who take a token over at the same moment one reads it, the other hears so")
    func atOnce() async throws {
        let program = try await Program(.developer)
        let house = program.house
        try await house.person("rob")
        try await house.give(.projectAdministrator, to: "rob", in: house.qa)
        let rob = try await house.pages.person("rob")
        let facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
        let tokens = APITokens(house.pages.provider, facts: facts)
        var pia = try await house.administrator(.projectAdministrator, in: house.qa, named: "pia")
        let act = "/console/projects/qa/api-tokens/\(program.id)/hand-over"
        for typed in [[:], ["keep_secret": "1"]] {
            _ = try await pia.get(act)
            // Between what Pia's press reads and what it writes.
            let read = Mutex<[String]>([])
            house.engine.interrupt(
                CountingEngine.transaction,
                by: [
                    {
                        let handed = try await tokens.handOver(
                            program.id, of: house.qa, to: rob, rights: nil)
                        let text = try handed.get().text ?? ""
                        read.withLock { $0.append(text) }
                    }
                ])
            let lost = try await pia.submit(act, typed)
            let new = try #require(read.withLock { $0.first })
            #expect(lost.text.contains("Another administrator has just taken ownership"))
            #expect(!lost.text.contains("ghr_"))
            let kept = try #require(try await tokens.find(new))
            #expect(kept.makerName == "rob" && kept.id == program.id)
        }
        var filter = AuditFilter()
        filter.action = "admin.api-token.hand-over"
        #expect(
            try await house.store.auditLog.auditEvents(filter, before: nil, limit: 9).count == 2)
        #expect(try await pia.submit(act, [:]).text.contains("ghr_"))
    }

    @Test("in the console the receiver is the person who submits, whatever the form contains")
    func pressed() async throws {
        let program = try await Program(.developer)
        let house = program.house
        try await house.person("bea")
        try await house.give(.projectAdministrator, to: "bea", in: house.qa)
        var pia = try await house.administrator(.projectAdministrator, in: house.qa, named: "pia")
        let path = "/console/projects/qa/api-tokens"
        let act = "\(path)/\(program.id)/hand-over"
        #expect(try await pia.get(path).text.contains("href=\"\(act)\""))
        let page = try await pia.get(act).text
        #expect(page.contains("Take ownership") && !page.contains("name=\"to\""))
        let taken = try await pia.submit(act, ["to": "bea", "username": "bea", "keep_secret": "1"])
        #expect(taken.location == path + "?done=takenOver")
        #expect(
            try await house.store.apiTokens.apiToken(program.id, of: house.qa.id)?.makerName
                == "pia")
    }

    @Test("the console shows the new token once, and a flag leaves the old one")
    func console() async throws {
        let program = try await Program(.developer)
        let house = program.house
        var owner = try await house.administrator(.owner, named: "pia")
        let path = "/console/projects/qa/api-tokens"
        let act = "\(path)/\(program.id)/hand-over"
        _ = try await owner.get(act)
        let kept = try await owner.submit(act, ["keep_secret": "1"])
        #expect(kept.location == path + "?done=takenOver")
        #expect(try await program.ask("/test-keys").status == 200)
        _ = try await owner.get(path)
        let shown = try await owner.submit(act, [:])
        let new = try #require(shown.text.firstMatch(of: #/ghr_[A-Za-z0-9_-]+/#)?.output)
        #expect(String(new) != program.bearer)
        #expect(try await program.ask("/test-keys").status == 401)
        #expect(try await !owner.get(path).text.contains(new))
    }

    @Test("the last of many tokens has its page; beyond one's own role there is no way to one")
    func many() async throws {
        let house = try await ConsoleHouse()
        var pia = try await house.administrator(.projectAdministrator, in: house.qa, named: "pia")
        let now = house.pages.clock.now
        let makers = APITokens(
            house.pages.provider, facts: RequestMetadata(now: now, requestID: "r", address: ""))
        var last: APIToken?
        for _ in 0..<60 {
            let made = try await makers.make(
                "ci", role: .developer, lifetime: .days(1), in: house.qa, rights: nil)
            last = try made.get().0
        }
        let path = "/console/projects/qa/api-tokens"
        let act = "\(path)/\(try #require(last).id)/hand-over"
        let page = try await pia.get(act)
        #expect(page.status == .ok && page.text.contains("Take ownership of ci?"))
        #expect(try await pia.submit(act, [:]).text.contains("ghr_"))
        // A role without the right has neither the route nor the form.
        try await house.give(.auditor, to: "pia", in: house.qa)
        #expect(try await !pia.get(path).text.contains("hand-over"))
        #expect(try await pia.get(act).status == .forbidden)
    }

    @Test("the call says what is wrong with it, and no token makes it")
    func call() async throws {
        let house = try await AdminHouse()
        #expect(try await house.call(.put, "/projects/qa", body: [:]).status == 201)
        let made = try await house.call(
            .post, "/projects/qa/api-tokens",
            body: ["name": "ci", "role": "project_administrator"])
        let id = try #require(made.body["id"]?.string)
        let path = "/projects/qa/api-tokens/\(id)/maker"
        for (body, status, code) in [
            (["username": 7], 422, "invalid_username"), (["user": "pia"], 422, "unknown_member"),
            (["username": "pia", "role": "owner"], 422, "unknown_member"),
            (["username": "pia", "keep_secret": "no"], 422, "invalid_keep_secret"),
            (["username": "nobody"], 404, "unknown_person"),
        ] as [(JSONValue, Int, String)] {
            let answer = try await house.call(.put, path, body: body)
            #expect(answer.status == status && answer.code == code, "\(body.text)")
        }
        _ = try await house.call(.put, "/projects/default/people/pia", body: ["name": "Pia"])
        let less = try await house.call(.put, path, body: ["username": "pia"])
        #expect(less.status == 403 && less.code == "successor_less")
        let grant: JSONValue = ["role": "project_administrator", "project": "qa"]
        #expect(try await house.call(.put, "/administrators/pia", body: grant).status == 200)
        let bearer = "Bearer " + (try #require(made.body["token"]?.string))
        let byToken = try await house.call(
            .put, path, body: ["username": "pia"], authorization: bearer)
        #expect(byToken.status == 403)
        let handed = try await house.call(.put, path, body: ["username": "pia"])
        #expect(handed.status == 200 && handed.body["maker"] == "pia")
        #expect(handed.body["token"]?.string?.hasPrefix("ghr_") == true)
        #expect(handed.body["token"] != made.body["token"])
        let kept = try await house.call(
            .put, path, body: ["username": "pia", "keep_secret": true])
        #expect(kept.status == 200 && kept.body["token"] == nil)
        let listed = try await house.call(.get, "/projects/qa/api-tokens").body["items"]
        #expect(listed?.array?.first?["maker"] == "pia")
        for wrong in ["nothing", "01890a5d-ac96-774b-bcce-b302099a8057"] {
            let answer = try await house.call(
                .put, "/projects/qa/api-tokens/\(wrong)/maker", body: ["username": "pia"])
            #expect(answer.code == "unknown_api_token")
        }
    }
}
