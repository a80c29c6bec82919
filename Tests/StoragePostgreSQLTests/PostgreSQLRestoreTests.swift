// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQLite
import Support
import Testing

@testable import StorageSQL

/// A restore, and other processes on the same database.
/// Skipped if PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLRestoreTests {
    private let folder = TestFolder()

    private func run(
        _ check: (RestoreConformance, _ other: SQLStore) async throws -> Void
    ) async throws {
        let url = try PostgreSQLServer.shared().makeDatabase()
        let engine = PostgreSQLEngine(url: url, connections: 4)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let other = SQLStore(
            engine: PostgreSQLEngine(url: url, connections: 4), archives: SQLiteArchive())
        try await check(
            RestoreConformance(
                store, other, backup: folder.path("backup"), DatabaseStatements(engine)), other)
        await other.maintenance.close()
        await store.maintenance.close()
    }

    @Test("a restore is recorded before it changes anything, and its end deletes the record")
    func isRecorded() async throws {
        try await run { restore, _ in try await restore.isRecorded() }
    }

    @Test("a restore that is refused or fails changes nothing and leaves no record")
    func leavesNothing() async throws {
        try await run { restore, _ in try await restore.leavesNothing() }
    }

    @Test(
        "Attack 108: another process sees the content from before a restore, or all of the backup")
    func isAllOrNothing() async throws {
        try await run { restore, _ in try await restore.isAllOrNothing() }
    }

    @Test("Attack 108: after a restore that was killed the record stays until a complete restore")
    func isRepeatedAfterKill() async throws {
        try await run { restore, _ in try await restore.isRepeatedAfterKill() }
    }

    @Test("a restore that was killed is abandoned on request, and the content is that from before")
    func isAbandonedAfterKill() async throws {
        try await run { restore, _ in try await restore.isAbandonedAfterKill() }
    }

    @Test("of two restores, the one whose record was replaced changes nothing")
    func yieldsToAnother() async throws {
        try await run { restore, _ in try await restore.yieldsToAnother() }
    }

    @Test("a restore that runs is not abandoned, and a second one does not begin")
    func running() async throws {
        let path = folder.path("backup")
        try await run { restore, other in
            try await restore.isAllOrNothing {
                async let abandoned = Self.code { _ = try await other.maintenance.abandonRestore() }
                async let second = Self.code {
                    let record = UnfinishedRestore(
                        process: "other:1", startedAt: Timestamp(seconds: 1_900_000_000))
                    try await other.maintenance.restore(
                        from: path, as: record, check: {}, progress: { _ in })
                }
                #expect(await abandoned == .contention)
                #expect(await second == .contention)
            }
        }
    }

    @Test("the steps of a later version wait for the end of a restore")
    func laterSteps() async throws {
        try await run { restore, other in
            let engine = other.engine
            var migration: Task<[String], any Error>?
            try await restore.isAllOrNothing {
                migration = Task {
                    // Depends on the content.
                    let steps = ["CREATE TABLE later AS SELECT id FROM grants"]
                    return try await Migration(engine: engine, laterSteps: steps).run()
                }
                try await eventually("the migration waits") {
                    let waits = try await engine.query(
                        """
                        SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                        AND datname = current_database()
                        """)
                    return waits.isEmpty ? nil : true
                }
            }
            #expect(try await migration?.value == ["later_0"])
            let grants = "SELECT count(*) FROM grants"
            let copied = try await engine.query("SELECT count(*) FROM later")
            #expect(try await engine.query(grants).map(\.values) == copied.map(\.values))
        }
    }

    @Test("a transaction about many rows has no time limit, also between its statements")
    func limits() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 1)
        let names = ["statement_timeout", "idle_in_transaction_session_timeout"]
        let limits = try await engine.write { connection in
            try connection.liftTimeLimit(.postgreSQL)
            return try names.map { try connection.query("SELECT current_setting('\($0)')") }
        }
        #expect(limits.flatMap { $0 }.map(\.values) == [[.text("0")], [.text("0")]])
        await engine.close()
    }

    private static func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }
}
