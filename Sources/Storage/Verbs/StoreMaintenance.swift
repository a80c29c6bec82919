// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The maintenance operations of a store: `gatehouse store …`.
package protocol StoreMaintenance: Sendable {
    /// Throws if the database does not respond.
    func ping() async throws
    /// Returns engine, schema version, row counts and size.
    func status() async throws -> StoreStatus
    /// Runs the missing steps, one statement each; resumable. Returns their names.
    func migrate() async throws -> [String]
    /// Returns the fingerprint of the master key with which the store was set up; `nil` if none is
    /// recorded.
    func masterKeyFingerprint() async throws -> [UInt8]?
    /// Records the fingerprint of the master key, unless there is one. Returns the recorded one.
    func recordMasterKey(fingerprint: [UInt8]) async throws -> [UInt8]
    /// Returns every violation as a sentence; empty if the store is valid.
    func verify() async throws -> [String]
    /// Writes a consistent copy to a file during concurrent writes.
    ///
    /// - Parameter replacing: whether a file of that name is replaced. Otherwise it is refused
    ///   (`fileExists`).
    func backup(
        to path: String, replacing: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws
    /// Replaces the content with that of a backup made by the same or an older schema version, in
    /// one transaction. Before that it records the restore, so that processes which start then refuse
    /// to serve (``unfinishedRestore()``); the transaction deletes the record.
    ///
    /// - Parameters:
    ///   - record: identifies this restore for other processes.
    ///   - check: called while the record is visible to all processes, and before the content changes.
    ///     If it throws, nothing is changed.
    func restore(
        from path: String, as record: UnfinishedRestore, check: () async throws -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws
    /// Returns the restore that has begun and not ended: it runs, or its process was killed. `nil` if
    /// there is none. It can be called before ``migrate()``.
    func unfinishedRestore() async throws -> UnfinishedRestore?
    /// Deletes the record of a restore whose process was killed, and returns it. The content is that
    /// from before the restore.
    ///
    /// - Throws: ``StorageError/Code/contention`` if the restore runs.
    func abandonRestore() async throws -> UnfinishedRestore?
    /// Deletes at most `batch` expired rows of each kind. Returns their number, and how late the
    /// oldest was.
    func sweep(now: Timestamp, batch: Int) async throws -> SweepOutcome
    /// Returns the earliest expiry of all kinds that the sweep deletes; `nil` if there is none.
    func nextExpiry() async throws -> Timestamp?
    /// Waits until accepted writes are durable, then closes.
    func close() async
}

extension StoreMaintenance {
    /// Writes a consistent copy to a new file.
    package func backup(
        to path: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        try await backup(to: path, replacing: false, progress: progress)
    }
}

/// A restore that has begun and not ended.
package struct UnfinishedRestore: Sendable, Equatable {
    /// The name of its process, for messages.
    package var process: String
    package var startedAt: Timestamp

    package init(process: String, startedAt: Timestamp) {
        self.process = process
        self.startedAt = startedAt
    }
}

package struct StoreStatus: Sendable, Equatable, Codable {
    package var engine: String
    package var schemaVersion: Int
    package var latestSchemaVersion: Int
    package var pendingSteps: [String]
    package var rows: [String: Int]
    package var bytes: Int64

    package init(
        engine: String, schemaVersion: Int, latestSchemaVersion: Int, pendingSteps: [String],
        rows: [String: Int], bytes: Int64
    ) {
        self.engine = engine
        self.schemaVersion = schemaVersion
        self.latestSchemaVersion = latestSchemaVersion
        self.pendingSteps = pendingSteps
        self.rows = rows
        self.bytes = bytes
    }
}

package struct SweepOutcome: Sendable, Equatable {
    package var deleted: Int
    package var lag: TimeSpan

    package init(deleted: Int, lag: TimeSpan) {
        self.deleted = deleted
        self.lag = lag
    }
}
