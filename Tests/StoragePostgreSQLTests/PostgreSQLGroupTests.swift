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
struct PostgreSQLGroupTests {
    @Test("people who were there before are listed under their groups")
    func before() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 4)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let f = try await StoreFixture(store)
        try await f.join("staff", "bea")
        // PostgreSQL cannot parse the JSON of a person with a NUL in a claim.
        var carl = f.makePerson("carl")
        carl.claims.groups = ["a\u{0}b", "staff"]
        _ = try await store.people.create(carl, with: [])
        // As a version without the list leaves a database.
        _ = try await engine.change("DROP TABLE group_members")
        _ = try await engine.change(
            "DELETE FROM schema_steps WHERE number IN ($1, $2)", 104, 105)
        let ran = try await store.maintenance.migrate()
        #expect(ran == ["group_members", "group_members_of_before"])
        let members = try await store.groups.members(
            of: "staff", in: f.project.id, after: nil, limit: 9)
        #expect(members.map(\.username) == ["bea"])
        await store.maintenance.close()
    }

    @Test("lists are planned once for all of their pages, also in a large table")
    func plans() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 1)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let f = try await StoreFixture(store)
        try await engine.addMembers(1...20_000, to: f.project.id)
        _ = try await engine.change(
            """
            INSERT INTO person_terms (project_id, term, person_id)
            SELECT project_id, 'mill' || username, id FROM people
            """)
        _ = try await engine.change("ANALYZE")
        let place = GroupMemberCursor(f.person)
        var filter = AuditFilter()
        filter.project = f.project.id
        for number in 0..<12 {
            // A prefix of many and of one.
            let text = number.isMultiple(of: 2) ? "p1" : "p1999"
            let people = try await store.people.people(
                of: f.project.id, startingWith: text, after: nil, limit: 51)
            #expect(people.count == (number.isMultiple(of: 2) ? 51 : 11))
            _ = try await store.people.people(of: f.project.id, after: text, limit: 51)
            let found = try await store.people.people(
                of: f.project.id, foundBy: "mill" + text, butNotNamed: "x", after: nil, limit: 51)
            #expect(found.count == people.count)
            _ = try await store.auditLog.auditEvents(filter, before: nil, limit: 51)
            for place in [nil, place] {
                _ = try await store.groups.members(
                    of: "all", in: f.project.id, after: place, limit: 51)
            }
        }
        let rows = try await engine.query(
            """
            SELECT generic_plans, custom_plans FROM pg_prepared_statements
            WHERE statement LIKE '%AS page%' AND generic_plans + custom_plans >= 12
            """)
        #expect(rows.count == 6)
        for row in rows { #expect(row.values == [.integer(7), .integer(5)]) }
        await store.maintenance.close()
    }

    @Test("the list of groups reads no more pages for a group of all people than for one of a few")
    func counts() async throws {
        // The counts of pages are of the one connection.
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 1)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let f = try await StoreFixture(store)
        func cost(_ wanted: [GroupSummary]) async throws -> Int64 {
            var most: Int64 = 0
            // Plans of the first five executions are for their arguments, later ones for any.
            for _ in 0..<8 {
                let before = try await engine.pages(of: "group_members_pkey")
                let found = try await store.groups.groups(
                    of: f.project.id, startingWith: "", after: nil, limit: 9, countingTo: 50)
                most = max(most, try await engine.pages(of: "group_members_pkey") - before)
                #expect(found == wanted)
            }
            return most
        }
        try await engine.addMembers(1...40, to: f.project.id)
        let (admins, all) = (
            GroupSummary(name: "admins", members: 4),
            GroupSummary(name: "all", members: 40)
        )
        let few = try await cost([admins, all])
        try await engine.addMembers(41...20_000, to: f.project.id)
        let (some, most) = (
            GroupSummary(name: "admins", members: 50, hasMore: true),
            GroupSummary(name: "all", members: 50, hasMore: true)
        )
        // The whole index has hundreds. It is two levels deeper than that of 40 people.
        #expect(try await cost([some, most]) <= few + 20)
        await store.maintenance.close()
    }
}

extension PostgreSQLEngine {
    /// Inserts people: all are members of one group, each tenth also of another.
    fileprivate func addMembers(
        _ numbers: ClosedRange<Int>, to project: Identifier<Project>
    ) async throws {
        let (first, last) = (Int64(numbers.lowerBound), Int64(numbers.upperBound))
        _ = try await change(
            """
            INSERT INTO people (id, project_id, username, claims, disabled, created_at)
            SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), $1::bytea, 'p' || n, '{}', 0, 0
            FROM generate_series($2::bigint, $3::bigint) n
            """, project, first, last)
        _ = try await change(
            """
            INSERT INTO group_members (project_id, group_name, sort_name, person_id)
            SELECT $1::bytea, name, 'p' || n, decode(lpad(to_hex(n), 32, '0'), 'hex')
            FROM generate_series($2::bigint, $3::bigint) n,
            LATERAL (VALUES ('all', 1), ('admins', 10)) AS groups (name, each) WHERE n % each = 0
            """, project, first, last)
        _ = try await change("ANALYZE group_members")
    }
}
