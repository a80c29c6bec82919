// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

/// What the verbs cost, counted in statements and plans rather than in time.
@Suite struct StatementTests {
    private let folder = TestFolder()

    private func open() async throws -> (RecordingEngine, SQLStore) {
        let engine = RecordingEngine(try SQLiteEngine.passing(path: folder.path("store")))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        return (engine, store)
    }

    /// Runs every case. Statements that write what another version writes are not recorded.
    private func runCases(on store: SQLStore, _ engine: RecordingEngine) async throws {
        let statements = DatabaseStatements(engine.engine)
        for conformance in ConformanceCase.all {
            try await conformance.run(on: store, statements)
        }
    }

    @Test("no verb reads a whole table, however many rows there are")
    func indexes() async throws {
        let (engine, store) = try await open()
        _ = engine.takeStatements()
        try await runCases(on: store, engine)
        let statements = Set(engine.takeStatements())
        #expect(statements.count > 80)
        for statement in statements where isVerb(statement) {
            let plan = try await plan(of: statement, engine)
            let scans = plan.filter { $0.hasPrefix("SCAN") && !isAllowed($0) }
            #expect(scans.isEmpty, "\(statement)\n\(plan.joined(separator: "\n"))")
        }
        await store.maintenance.close()
    }

    @Test("calls say of every statement whether it changes rows")
    func marks() async throws {
        let (engine, store) = try await open()
        try await runCases(on: store, engine)
        #expect(engine.takeStatements().count > 80)
        #expect(engine.wronglyMarked == [])
        await store.maintenance.close()
    }

    /// The schema's own notes are few; the whole list of projects is in order of its index.
    private func isAllowed(_ step: String) -> Bool {
        step.hasPrefix("SCAN CONSTANT ROW") || step.hasPrefix("SCAN schema_steps")
            // An index of nothing but what there is to do.
            || step.hasSuffix("USING INDEX pins_of_nobody")
            || step.hasSuffix("USING COVERING INDEX pins_of_nobody")
            // The rows of the statement itself: the names of groups, and the counted members.
            || step == "SCAN n" || step == "SCAN counted"
    }

    private func isVerb(_ statement: String) -> Bool {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains { statement.hasPrefix($0) }
            && !statement.contains("sqlite_master")
    }

    private func plan(of statement: String, _ engine: RecordingEngine) async throws -> [String] {
        let count = (1...30).last { statement.contains("$\($0)") } ?? 0
        let nulls = [SQLValue](repeating: .null, count: count)
        return try await engine.read {
            try $0.query("EXPLAIN QUERY PLAN " + statement, arguments: nulls).compactMap {
                guard case .text(let step)? = $0.values.last else { return nil }
                return step
            }
        }
    }

    @Test(
        "people are found by any of their names in the order of an index, from where a page begins")
    func peopleSearch() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        _ = engine.takeStatements()
        _ = try await store.people.people(
            of: f.project.id, foundBy: "mill", butNotNamed: "mill", after: nil, limit: 50)
        let statement = try #require(engine.takeStatements().first)
        let plan = try await plan(of: statement, engine)
        let walk = try #require(plan.first)
        #expect(walk.hasPrefix("SEARCH t USING PRIMARY KEY (project_id=?"))
        #expect(walk.contains("(term,person_id)>(?,?)") && walk.contains("term<?"))
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") })
        await store.maintenance.close()
    }

    @Test(
        "keys on machines are found by machine and person, not by walking through those of either")
    func machineKeys() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let (machine, keys) = try await f.registeredMachine()
        func expect(_ index: String, _ verb: () async throws -> Void) async throws {
            _ = engine.takeStatements()
            try await verb()
            let statements = engine.takeStatements().filter {
                $0.contains("device_keys") && !$0.hasPrefix("INSERT")
            }
            #expect(statements.count == 1)
            for statement in statements {
                let plan = try await plan(of: statement, engine)
                #expect(plan.contains { $0.contains("INDEX \(index) ") }, "\(plan)")
            }
        }
        try await expect("device_keys_of_machine") {
            _ = try await store.devices.device(
                signingKey: keys[0].kid, in: f.project.id, now: f.now)
        }
        try await expect("device_keys_by_user") {
            let key = f.makeUserKey(on: machine)
            _ = try await store.devices.register(f.makeUser(on: machine), key: key, now: f.now)
        }
        try await expect("device_keys_by_user") {
            _ = try await store.devices.userKeys(of: f.person.id, on: machine.id, now: f.now)
        }
        try await expect("device_keys_by_user") {
            _ = try await store.devices.person(
                username: f.person.username, in: f.project.id, keysOn: machine.id, now: f.now)
        }
        await store.maintenance.close()
    }

    @Test("what begins so is looked up by an index, from where a page begins to where all end")
    func searches() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let machine = try await f.registeredMachine(serial: "C02").0
        let place = GroupMemberCursor(f.person)
        func plans(_ verb: () async throws -> Void) async throws -> [String] {
            _ = engine.takeStatements()
            try await verb()
            var found: [String] = []
            for statement in engine.takeStatements() {
                found += try await plan(of: statement, engine)
            }
            return found
        }
        for name in Device.SearchName.allCases {
            let index = name == .serial ? "devices_by_serial" : "devices_by_host_name"
            for last in [nil, SearchCursor(machine, by: name)] {
                let steps = try await plans {
                    _ = try await store.devices.devices(
                        of: f.project.id, by: name, startingWith: "a", after: last, limit: 9)
                }
                #expect(steps.count == (last == nil ? 1 : 2))
                #expect(steps.allSatisfy { $0.contains("INDEX \(index) (project_id=? AND <expr>") })
                #expect(
                    steps.allSatisfy {
                        $0.hasSuffix("<expr>>? AND <expr><?)") || $0.contains("<expr>=? AND id>?")
                    },
                    "\(steps)")
            }
        }
        for name in RegistrationToken.SearchName.allCases {
            let index = "INDEX device_tokens_by_\(name.rawValue) (project_id=? AND <expr>"
            for last in [nil, SearchCursor(f.makeToken(serial: "C02"), by: name)] {
                let steps = try await plans {
                    _ = try await store.devices.deviceTokens(
                        of: f.project.id, by: name, startingWith: "a", after: last, limit: 9)
                }
                #expect(steps.count == (last == nil ? 1 : 2))
                #expect(steps.allSatisfy { $0.contains(index) }, "\(steps)")
            }
        }
        for last in [nil, "a"] {
            let clients = try await plans {
                _ = try await store.clients.clients(
                    of: f.project.id, startingWith: "a", after: last, limit: 9)
            }
            #expect(clients.allSatisfy { $0.contains("client_id>? AND client_id<?") })
            for prefix in ["", "a"] {
                let groups = try await plans {
                    _ = try await store.groups.groups(
                        of: f.project.id, startingWith: prefix, after: last, limit: 9)
                }.filter { $0.hasPrefix("SEARCH") }
                // The first name, each next one, and the members that are counted.
                let columns = Array(repeating: "group_name>? AND group_name<?", count: 2)
                #expect(
                    groups.map { $0.contains("USING PRIMARY KEY (project_id=? AND group_name") }
                        == [true, true, true])
                #expect(zip(groups, columns + ["group_name=?)"]).allSatisfy { $0.contains($1) })
            }
        }
        for last in [nil, place] {
            let members = try await plans {
                _ = try await store.groups.members(
                    of: "a", in: f.project.id, startingWith: "a", after: last, limit: 9)
            }
            #expect(members.contains { $0.contains("sort_name<?") }, "\(members)")
            #expect(members.allSatisfy { !$0.contains("TEMP B-TREE") })
        }
        await store.maintenance.close()
    }

    @Test("what is asked of the audit trail is looked up, and nothing walks through the rest")
    func audit() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        var refused = f.makeEvent("token.refresh", at: f.now + .seconds(1))
        refused.outcome = .refused
        refused.clientID = "wiki"
        let accepted = f.makeEvent("token.refresh")
        try await store.auditLog.append([accepted, refused])
        func expect(
            _ index: String, _ found: [AuditEvent], _ set: (inout AuditFilter) -> Void
        ) async throws {
            var filter = AuditFilter()
            set(&filter)
            let later: Identifier<AuditEvent> = f.identifier(at: refused.at + .days(1))
            for cursor in [nil, later] as [Identifier<AuditEvent>?] {
                _ = engine.takeStatements()
                let events = try await store.auditLog.auditEvents(filter, before: cursor, limit: 9)
                #expect(events == found)
                let statement = try #require(engine.takeStatements().first)
                let steps = try await plan(of: statement, engine)
                #expect(steps.count == 1 && steps[0].contains("INDEX \(index) ("), "\(steps)")
            }
        }
        try await expect("audit_events_refused", [refused]) { $0.outcome = .refused }
        try await expect("audit_events_refused_of_project", [refused]) {
            ($0.project, $0.outcome) = (f.project.id, .refused)
        }
        try await expect("audit_events_by_client", [refused]) { $0.clientID = "wiki" }
        try await expect("audit_events_by_client", [refused]) {
            ($0.clientID, $0.outcome) = ("wiki", .refused)
        }
        try await expect("audit_events_refused_of_client", [refused]) {
            ($0.project, $0.clientID, $0.outcome) = (f.project.id, "wiki", .refused)
        }
        try await expect("audit_events_by_person", [refused]) {
            ($0.project, $0.person, $0.outcome) = (f.project.id, refused.person, .refused)
        }
        try await expect("audit_events_of_device", []) { $0.device = f.identifier() }
        try await expect("audit_events_by_project", [refused, accepted]) {
            $0.project = f.project.id
        }
        await store.maintenance.close()
    }

    @Test("the trail of what hundreds of projects do is walked from its newest on, in one read")
    func auditOfManyProjects() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        var events = (0..<200).map { f.makeEvent("sign-in.password", at: f.now + .seconds($0)) }
        for index in events.indices { events[index].project = f.identifier() }
        try await store.auditLog.append(events)
        var filter = AuditFilter()
        filter.action = "sign-in."
        _ = engine.takeStatements()
        let found = try await store.auditLog.auditEvents(filter, before: nil, limit: 2)
        #expect(found == [events[199], events[198]])
        #expect(engine.takeStatements().last?.contains("ORDER BY id DESC") == true)
        filter.project = events[7].project
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 2) == [events[7]])
    }

    @Test("a refused request is found by an index, however long the audit log is")
    func auditByRequest() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        var wanted = f.makeEvent("authorization")
        (wanted.outcome, wanted.requestID) = (.refused, "f00d")
        let later = (1...500).map { f.makeEvent("token.refresh", at: f.now + .days(Int64($0))) }
        try await store.auditLog.append([wanted] + later)
        var filter = AuditFilter()
        filter.requestID = "f00d"
        _ = engine.takeStatements()
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 9) == [wanted])
        let statements = engine.takeStatements()
        #expect(statements.count == 2)
        for statement in statements {
            let steps = try await plan(of: statement, engine)
            #expect(steps.allSatisfy { $0.hasPrefix("SEARCH") }, "\(steps)")
        }
        #expect(
            try await plan(of: try #require(statements.first), engine).contains {
                $0.contains("audit_events_by_refused_request")
            })
    }

    @Test("the trail of one action costs the same reads, however long it is, on every page")
    func auditByAction() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let neighbour = try await StoreFixture(store)
        func event(_ action: String, after seconds: Int, _ f: StoreFixture) -> AuditEvent {
            f.makeEvent(action, at: f.now + .seconds(Int64(seconds)))
        }
        // What is looked for is old, and what came since is of all other kinds.
        var wanted = (0..<4).map { event("admin.client.remove", after: $0, f) }
        wanted[1].outcome = .refused
        let another = event("admin.client.create", after: 9, neighbour)
        try await store.auditLog.append(wanted + [another])
        func cost(
            _ set: (inout AuditFilter) -> Void, _ found: [AuditEvent],
            before cursor: Identifier<AuditEvent>? = nil
        ) async throws -> Int {
            var filter = AuditFilter()
            set(&filter)
            _ = engine.takeStatements()
            let events = try await store.auditLog.auditEvents(filter, before: cursor, limit: 2)
            #expect(events == found)
            let statements = engine.takeStatements()
            for statement in Set(statements) {
                let steps = try await plan(of: statement, engine)
                #expect(steps.count == 1, "\(steps)")
                #expect(steps.allSatisfy { $0.contains("INDEX audit_events_by_action (") })
            }
            return statements.count
        }
        func costs() async throws -> [Int] {
            let id = f.project.id
            return [
                try await cost({ $0.action = "admin.client.remove" }, [wanted[3], wanted[2]]),
                try await cost(
                    { $0.action = "admin.client.remove" }, [wanted[1], wanted[0]],
                    before: wanted[2].id),
                try await cost(
                    { ($0.action, $0.project) = ("admin.client.remove", id) },
                    [wanted[3], wanted[2]]),
                try await cost(
                    { ($0.action, $0.outcome) = ("admin.client.remove", .refused) }, [wanted[1]]),
                try await cost({ $0.action = "admin.client." }, [another, wanted[3]]),
                try await cost(
                    { ($0.action, $0.project) = ("admin.client.", id) }, [wanted[1], wanted[0]],
                    before: wanted[2].id),
                try await cost(
                    { ($0.action, $0.since) = ("admin.client.remove", f.now + .seconds(3)) },
                    [wanted[3]]),
                try await cost({ $0.action = "admin.nothing" }, []),
                try await cost({ $0.action = "nothing." }, []),
            ]
        }
        let few = try await costs()
        #expect(few == [4, 4, 2, 3, 11, 7, 4, 1, 1])
        try await store.auditLog.append(
            (0..<3000).map { event("token.refresh", after: 10 + $0, f) })
        #expect(try await costs() == few)
        await store.maintenance.close()
    }

    @Test("what was before the moment that is asked for is not walked through")
    func auditSince() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let (old, new) = (f.makeEvent("a.b"), f.makeEvent("a.b", at: f.now + .seconds(60)))
        try await store.auditLog.append([old, new])
        var filter = AuditFilter()
        for (since, found) in [(0, [new, old]), (60, [new]), (61, [])] as [(Int64, [AuditEvent])] {
            filter.since = f.now + .seconds(since)
            for project in [nil, f.project.id] {
                filter.project = project
                _ = engine.takeStatements()
                let events = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
                #expect(events == found)
                let statement = try #require(engine.takeStatements().first)
                let steps = try await plan(of: statement, engine)
                // The limit ends the list of a project: its events are newest first.
                let bound = project == nil ? "id>?" : "((project_id,id)<(?,?))"
                #expect(steps.count == 1 && steps[0].contains(bound), "\(steps)")
            }
        }
        await store.maintenance.close()
    }

    @Test("the verbs of the hot paths are one statement each")
    func counts() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let session = f.makeSession()
        let code = f.makeCode()
        let challenge = f.makeChallenge()
        func cost(_ verb: () async throws -> Void) async throws -> Int {
            _ = engine.takeStatements()
            try await verb()
            return engine.takeStatements().count
        }
        try await store.sessions.create(session, replacing: nil, now: f.now)
        try await store.challenges.issue(challenge)
        #expect(try await cost { try await store.grants.save(code) } == 1)
        #expect(
            try await cost {
                _ = try await store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
            } == 1)
        #expect(try await cost { _ = try await f.rotate(code.grant.id, 1) } == 1)
        // With its audit event: two, in one commit.
        let event = f.makeEvent("token.refresh")
        #expect(
            try await cost { _ = try await f.rotate(code.grant.id, 2, recording: event) } == 2)
        #expect(
            try await cost {
                _ = try await store.sessions.session(secretHash: session.secretHash, now: f.now)
            } == 1)
        #expect(
            try await cost {
                _ = try await store.tokenStates.tokenState(
                    jti: [1], grant: code.grant.id, now: f.now)
            } == 1)
        #expect(
            try await cost {
                _ = try await store.challenges.consumeChallenge(
                    hash: challenge.hash, purpose: challenge.purpose, in: f.project.id, now: f.now)
            } == 1)
        #expect(
            try await cost {
                _ = try await store.attempts.recordAttempt(
                    bucket: [1], limit: 1, window: .minutes(1), now: f.now)
            } == 1)
        await store.maintenance.close()
    }
}
