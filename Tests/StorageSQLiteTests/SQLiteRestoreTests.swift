// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

/// A restore, and another process on the same file.
@Suite struct SQLiteRestoreTests {
    private let folder = TestFolder()

    private func run(_ check: (RestoreConformance) async throws -> Void) async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("store"))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let other = SQLStore(
            engine: try SQLiteEngine.passing(path: folder.path("store")),
            archives: SQLiteArchive())
        try await check(
            RestoreConformance(
                store, other, backup: folder.path("backup"), DatabaseStatements(engine)))
        await other.maintenance.close()
        await store.maintenance.close()
    }

    @Test("a restore is recorded before it changes anything, and its end deletes the record")
    func isRecorded() async throws { try await run { try await $0.isRecorded() } }

    @Test("a restore that is refused or fails changes nothing and leaves no record")
    func leavesNothing() async throws { try await run { try await $0.leavesNothing() } }

    @Test(
        "Attack 108: another process sees the content from before a restore, or all of the backup")
    func isAllOrNothing() async throws { try await run { try await $0.isAllOrNothing() } }

    @Test("Attack 108: after a restore that was killed the record stays until a complete restore")
    func isRepeatedAfterKill() async throws {
        try await run { try await $0.isRepeatedAfterKill() }
    }

    @Test("a restore that was killed is abandoned on request, and the content is that from before")
    func isAbandonedAfterKill() async throws {
        try await run { try await $0.isAbandonedAfterKill() }
    }

    @Test("of two restores, the one whose record was replaced changes nothing")
    func yieldsToAnother() async throws { try await run { try await $0.yieldsToAnother() } }
}
