// SPDX-License-Identifier: Apache-2.0
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLConformanceTests {
    @Test("PostgreSQL does what every engine must do")
    func conforms() async throws {
        let store = try await PostgreSQLStore.open(
            url: PostgreSQLServer.shared().makeDatabase(), connections: 8,
            archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let statements = try #require(DatabaseStatements(store))
        for conformance in ConformanceCase.all {
            do {
                try await conformance.run(on: store, statements)
            } catch {
                Issue.record("\(conformance): \(error)")
            }
        }
        #expect(try await store.maintenance.verify().isEmpty)
        await store.maintenance.close()
    }

    @Test("a rotation and its audit event are one commit")
    func recordedRotation() async throws {
        let count = CommitCounter()
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 4, counting: count)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let f = try await StoreFixture(store)
        let grant = try await f.redeemedGrant()
        let (commits, writes) = (count.commits, count.writes)
        _ = try await f.rotate(grant.id, 1, recording: f.makeEvent("token.refresh"))
        #expect(count.commits == commits + 1 && count.writes == writes + 1)
        await store.maintenance.close()
    }
}
