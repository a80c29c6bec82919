// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Primitives
package import Storage
import Synchronization

/// A restore by one process, and another process on the same database. Both engines run it.
package struct RestoreConformance: Sendable {
    private let store: any ProviderStore
    private let other: any ProviderStore
    /// Where the backup is.
    private let path: String
    private let statements: DatabaseStatements
    private let record = UnfinishedRestore(
        process: "host:17", startedAt: Timestamp(seconds: 1_800_000_000))

    /// - Parameters:
    ///   - store: of the process that restores.
    ///   - other: of the other process.
    ///   - path: of a file that does not exist.
    package init(
        _ store: any ProviderStore, _ other: any ProviderStore, backup path: String,
        _ statements: DatabaseStatements
    ) {
        (self.store, self.other, self.path) = (store, other, path)
        self.statements = statements
    }

    private var unfinished: UnfinishedRestore? {
        get async throws { try await other.maintenance.unfinishedRestore() }
    }

    private func restore(
        check: () async throws -> Void = {},
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await store.maintenance.restore(
            from: path, as: record, check: check, progress: progress)
    }

    /// A database whose content is another than that of the backup.
    private func changedStore() async throws -> (
        f: StoreFixture, backup: StoreContent, present: StoreContent
    ) {
        let f = try await StoreContent.fill(store)
        let backup = try await StoreContent(of: store, for: f)
        try await store.maintenance.backup(to: path) { _ in }
        _ = try await f.redeemedGrant()
        let present = try await StoreContent(of: store, for: f)
        try expect(backup != present)
        return (f, backup, present)
    }

    private func content(_ f: StoreFixture) async throws -> StoreContent {
        try await StoreContent(of: other, for: f)
    }

    /// The record is visible to the other process before the content changes, and is deleted at the end.
    package func isRecorded() async throws {
        let (f, backup, present) = try await changedStore()
        try expectEqual(await unfinished, nil)
        try await restore(check: {
            try expectEqual(await unfinished, record)
            try expectEqual(await content(f), present)
        })
        try expectEqual(await unfinished, nil)
        try expectEqual(await content(f), backup)
        try expectEqual(await store.maintenance.verify(), [])
    }

    private struct Served: Error {}

    /// A refused restore, and one from a file that is not a backup, change nothing and leave no record.
    package func leavesNothing() async throws {
        let (f, _, present) = try await changedStore()
        do {
            try await restore(check: { throw Served() })
            throw ConformanceFailure(description: "the check was passed over")
        } catch is Served {}
        do {
            try await store.maintenance.restore(
                from: path + ".missing", as: record, check: {}, progress: { _ in })
            throw ConformanceFailure(description: "a missing backup was restored")
        } catch let error as StorageError { try expectEqual(error.code, .invalidBackup) }
        try expectEqual(await unfinished, nil)
        try expectEqual(await content(f), present)
    }

    /// The other process sees all of the content from before while a restore runs, with the record,
    /// and afterwards all of the backup, without it.
    ///
    /// - Parameter during: called while the content is replaced.
    package func isAllOrNothing(during: () async throws -> Void = {}) async throws {
        let (f, backup, present) = try await changedStore()
        let (running, run) = AsyncStream.makeStream(of: Void.self)
        let hasRun = Atomic(false)
        let isSeen = DispatchSemaphore(value: 0)
        let progress: @Sendable (Double) -> Void = { _ in
            guard !hasRun.exchange(true, ordering: .relaxed) else { return }
            run.yield()
            _ = isSeen.wait(timeout: .now() + 60)
        }
        async let restored: Void = restore(progress: progress)
        for await _ in running { break }
        do {
            try expectEqual(await unfinished, record)
            try expectEqual(await content(f), present)
            try await during()
            try expectEqual(await content(f), present)
        } catch {
            isSeen.signal()
            throw error
        }
        isSeen.signal()
        try await restored
        try expectEqual(await unfinished, nil)
        try expectEqual(await content(f), backup)
    }

    /// Leaves the record of a process that was killed.
    private func killRestore() async throws {
        do {
            try await restore(check: { try await rename("restore", to: "saved") })
            throw ConformanceFailure(description: "a restore without its record")
        } catch let error as StorageError { try expectEqual(error.code, .contention) }
        try await rename("saved", to: "restore")
        try expectEqual(await unfinished, record)
    }

    private func rename(_ name: String, to other: String) async throws {
        try await statements.change(
            "UPDATE job_leases SET name = '\(other)' WHERE name = '\(name)'")
    }

    /// The record of a killed process stays through a restore that is refused. A complete one deletes
    /// it.
    package func isRepeatedAfterKill() async throws {
        let (f, backup, present) = try await changedStore()
        try await killRestore()
        do { try await restore(check: { throw Served() }) } catch is Served {}
        try expect(await unfinished != nil, "a refused restore made the database usable")
        try expectEqual(await content(f), present)
        try await restore()
        try expectEqual(await unfinished, nil)
        try expectEqual(await content(f), backup)
    }

    /// The content from before a killed restore can be used.
    package func isAbandonedAfterKill() async throws {
        let (f, _, present) = try await changedStore()
        try await killRestore()
        try expectEqual(await store.maintenance.abandonRestore(), record)
        try expectEqual(await unfinished, nil)
        try expectEqual(await store.maintenance.abandonRestore(), nil)
        try expectEqual(await content(f), present)
    }

    /// Of two restores, the one whose record was replaced before its transaction changes nothing.
    package func yieldsToAnother() async throws {
        let (f, _, present) = try await changedStore()
        do {
            try await restore(check: {
                try await statements.change(
                    "UPDATE job_leases SET expires_at = 1000 WHERE name = 'restore'")
            })
            throw ConformanceFailure(description: "two restores at once")
        } catch let error as StorageError { try expectEqual(error.code, .contention) }
        try expect(await unfinished != nil)
        try expectEqual(await content(f), present)
    }
}

extension StoreMaintenance {
    /// A restore that no other process disturbs.
    package func restore(
        from path: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        let record = UnfinishedRestore(process: "test:1", startedAt: Timestamp(seconds: 1))
        try await restore(from: path, as: record, check: {}, progress: progress)
    }
}
