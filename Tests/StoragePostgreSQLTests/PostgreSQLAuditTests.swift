// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLAuditTests {
    private func open(connections: Int = 2) async throws -> (PostgreSQLEngine, SQLStore) {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: connections)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        return (engine, store)
    }

    @Test("what was refused, and what a client did, is looked up among all that went well")
    func indexes() async throws {
        let (engine, store) = try await open()
        // One in 2,000 was refused, and is of the client.
        _ = try await engine.change(
            """
            INSERT INTO audit_events (id, project_id, at, action, outcome, client_id, address,
            request_id, details, occurrences)
            SELECT decode(md5(n::text), 'hex'), decode(md5('project'), 'hex'), n, 'token.refresh',
            CASE WHEN n % 2000 = 0 THEN 'refused' ELSE 'accepted' END,
            CASE WHEN n % 2000 = 0 THEN 'wiki' ELSE 'shop' END, '', '', '{}', 1
            FROM generate_series(1, 20000) n
            """, arguments: [])
        _ = try await engine.change("ANALYZE audit_events", arguments: [])
        let f = try await StoreFixture(store)
        var filter = AuditFilter()
        filter.outcome = .refused
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 99).count == 10)
        filter.clientID = "wiki"
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 99).count == 10)
        filter.project = f.project.id
        #expect(try await store.auditLog.auditEvents(filter, before: nil, limit: 99).isEmpty)
        // In the words of the store.
        let refused = ["audit_events_refused", "audit_events_by_refused_request"]
        for (condition, value, indexes) in [
            ("outcome = 'refused' AND id < $1", SQLValue.bytes([0xFF]), refused),
            ("client_id = $1", .text("wiki"), ["audit_events_by_client"]),
            ("project_id = $1 AND outcome = 'refused'", .bytes([1]), refused),
            (
                "client_id = $1 AND project_id = decode(md5('project'), 'hex') "
                    + "AND outcome = 'refused'",
                .text("wiki"), ["audit_events_refused_of_client"]
            ),
        ] {
            let plan = try await engine.read {
                try $0.query(
                    "EXPLAIN SELECT * FROM audit_events WHERE \(condition) ORDER BY id DESC LIMIT 9",
                    arguments: [value])
            }.compactMap { row -> String? in
                guard case .text(let step)? = row.values.first else { return nil }
                return step
            }
            let steps = plan.joined(separator: "\n")
            #expect(
                indexes.contains { steps.contains($0) } && !steps.contains("Seq Scan"), "\(steps)")
        }
        await store.maintenance.close()
    }

    @Test("an action of long ago is looked up, and what came since is not walked through")
    func byAction() async throws {
        let (engine, store) = try await open()
        _ = try await engine.change(
            """
            INSERT INTO audit_events (id, project_id, at, action, outcome, client_id, address,
            request_id, details, occurrences)
            SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), decode(md5('project'), 'hex'), n,
            CASE WHEN n <= 3000 THEN 'admin.client.remove' ELSE 'token.refresh' END,
            CASE WHEN n = 7 THEN 'refused' ELSE 'accepted' END, NULL, '', '', '{}', 1
            FROM generate_series(1, 30000) n
            """, arguments: [])
        _ = try await engine.change("ANALYZE audit_events", arguments: [])
        var filter = AuditFilter()
        for action in ["admin.client.remove", "admin.client."] {
            (filter.action, filter.outcome) = (action, nil)
            let first = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
            #expect(first.map(\.at.milliseconds) == (2992...3000).reversed())
            let ninth = Identifier<AuditEvent>(bytes: [UInt8](repeating: 0, count: 15) + [9])
            let last = try await store.auditLog.auditEvents(filter, before: ninth, limit: 9)
            #expect(last.map(\.at.milliseconds) == (1...8).reversed())
            filter.outcome = .refused
            let refused = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
            #expect(refused.map(\.at.milliseconds) == [7])
        }
        // In the words of the store, and as a statement is planned that is used again and again.
        let plan = try await engine.read { connection in
            try connection.define("SET plan_cache_mode = force_generic_plan")
            defer { try? connection.define("RESET plan_cache_mode") }
            return try connection.query(
                """
                EXPLAIN SELECT id FROM audit_events
                WHERE (action, project_id, outcome, id) < ($1, $2, $3, $4)
                ORDER BY action DESC, project_id DESC, outcome DESC, id DESC LIMIT $5
                """,
                arguments: [
                    .text("admin.client.remove"), .bytes([1]), .text("accepted"), .bytes([0xFF]),
                    .integer(9),
                ])
        }.compactMap { row -> String? in
            guard case .text(let step)? = row.values.first else { return nil }
            return step
        }
        let steps = plan.joined(separator: "\n")
        #expect(steps.contains("audit_events_by_action") && !steps.contains("Sort"), "\(steps)")
        await store.maintenance.close()
    }

    @Test("the few events of a project are found among the many of another")
    func smallProject() async throws {
        // The counts of pages are of the one connection.
        let (engine, store) = try await open(connections: 1)
        _ = try await engine.change(
            """
            INSERT INTO audit_events (id, project_id, at, action, outcome, client_id, address,
            request_id, details, occurrences)
            SELECT decode(lpad(to_hex(n), 12, '0') || repeat('0', 20), 'hex'),
            decode(repeat(CASE WHEN n <= 3 THEN '01' ELSE '02' END, 16), 'hex'), n,
            'token.refresh', 'accepted', NULL, '', '', '{}', 1 FROM generate_series(1, 30000) n
            """, arguments: [])
        _ = try await engine.change("ANALYZE audit_events", arguments: [])
        var filter = AuditFilter()
        func cost(_ project: UInt8, _ found: [Int64], since: Int64? = nil) async throws -> Int64 {
            filter.project = Identifier(bytes: [UInt8](repeating: project, count: 16))
            filter.since = since.map { Timestamp(milliseconds: $0) }
            let before = try await pages(engine)
            let events = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
            #expect(events.map(\.at.milliseconds) == found)
            return try await pages(engine) - before
        }
        let newest: [Int64] = (29_992...30_000).reversed()
        // PostgreSQL plans the first executions for their project, and later ones for any.
        for _ in 0..<8 { #expect(try await cost(2, newest) < 20) }
        #expect(try await cost(1, [3, 2, 1]) < 20)
        #expect(try await cost(1, [3], since: 3) < 20)
        #expect(try await cost(3, []) < 20)
        await store.maintenance.close()
    }

    private func pages(_ engine: PostgreSQLEngine) async throws -> Int64 {
        try await engine.pages(of: "audit_events_pkey", "audit_events_by_project")
    }

    @Test("an action's many events are not read for an outcome or a time that has none or few")
    func fewOfMany() async throws {
        // The counts of pages are of the one connection.
        let (engine, store) = try await open(connections: 1)
        _ = try await engine.change(
            """
            INSERT INTO audit_events (id, project_id, at, action, outcome, client_id, address,
            request_id, details, occurrences)
            SELECT decode(lpad(to_hex(n), 12, '0') || repeat('0', 20), 'hex'),
            decode(md5('project'), 'hex'), n, 'token.refresh', 'accepted', NULL, '', '', '{}', 1
            FROM generate_series(1, 30000) n
            """, arguments: [])
        _ = try await engine.change("ANALYZE audit_events", arguments: [])
        var filter = AuditFilter()
        filter.action = "token.refresh"
        for (outcome, since, found) in [
            (.refused, 0, 0), (nil, 29_999, 2), (.accepted, 29_999, 2),
        ] as [(AuditEvent.Outcome?, Int64, Int)] {
            (filter.outcome, filter.since) = (outcome, Timestamp(milliseconds: since))
            let before = try await engine.pages(of: "audit_events_by_action")
            let events = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
            #expect(events.count == found)
            // The whole index has hundreds.
            #expect(try await engine.pages(of: "audit_events_by_action") - before < 40)
        }
        await store.maintenance.close()
    }
}
