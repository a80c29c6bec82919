// SPDX-License-Identifier: Apache-2.0
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLColumnTests {
    private func run(_ check: (ColumnMigration) async throws -> Void) async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 4)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let migration = ColumnMigration(
            store, change: { _ = try await engine.change($0) },
            rows: { "\(try await engine.query($0).map(\.values))" })
        try await check(migration)
        await store.maintenance.close()
    }

    @Test("a migrated database has the columns and returns the content of one that was written now")
    func migrates() async throws {
        try await run { migration in
            try await migration.migrates(
                steps: SchemaStep.all.filter { (135...154).contains($0.number) }.map(\.name))
        }
    }

    @Test("the sweep fills the columns of rows that a concurrent older version wrote")
    func fillsLateRows() async throws {
        try await run { try await $0.fillsLateRows() }
    }

    @Test("people that a concurrent older version renamed have their new names after the sweep")
    func followsRenamedPeople() async throws {
        try await run { try await $0.followsRenamedPeople() }
    }

    @Test("a sign-in reads the people and realms that a concurrent older version wrote")
    func signsInAfterOlderWrites() async throws {
        try await run { try await $0.signsInAfterOlderWrites() }
    }
}
