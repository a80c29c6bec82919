// SPDX-License-Identifier: Apache-2.0
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
}
