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
struct PostgreSQLNameTests {
    @Test("people who were there before are given names to be shown, each another one")
    func before() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 4)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        try await NameMigration(store, migrate: { try await store.maintenance.migrate() }) {
            _ = try await engine.change($0)
        }.check()
        await store.maintenance.close()
    }

    @Test("machines that were there before are known by their serial numbers as they are compared")
    func serialNumbers() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 4)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        try await SerialMigration(store, migrate: { try await store.maintenance.migrate() }) {
            _ = try await engine.change($0)
        }.run()
        await store.maintenance.close()
    }
}
