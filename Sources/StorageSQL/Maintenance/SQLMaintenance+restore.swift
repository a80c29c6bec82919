// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The record of an unfinished restore is a row of `job_leases`, which backups do not contain: the
/// process is its holder, and the start its time. It has no expiry, because the process may be killed.
private let restoreRecorded = """
    INSERT INTO job_leases (name, holder, epoch, expires_at) VALUES ('restore', $1, 1, $2)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
    epoch = job_leases.epoch + 1
    """
private let restoreRecord = "SELECT holder, expires_at FROM job_leases WHERE name = 'restore'"
private let restoreEnded = """
    DELETE FROM job_leases WHERE name = 'restore' AND holder = $1 AND expires_at = $2
    """
private let restoreAbandoned = """
    DELETE FROM job_leases WHERE name = 'restore' RETURNING holder, expires_at
    """

/// Restores. A process that starts inserts its lease and then looks for the record; a restore inserts
/// the record and then looks for leases. So at least one of the two sees the other.
extension SQLMaintenance {
    func restore(
        from path: String, as record: UnfinishedRestore, check: () async throws -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        _ = try await migrate()
        let isFirst = try await unfinishedRestore() == nil
        try await unlessOtherRestore { try await write(restoreRecorded, record) }
        do {
            try await check()
            try await replaceContent(by: path, record, progress)
        } catch {
            // The content is that from before. If it was from before a restore that was killed, it
            // still is.
            if isFirst { try? await write(restoreEnded, record) }
            throw error
        }
        try await completeRows()
    }

    func unfinishedRestore() async throws -> UnfinishedRestore? {
        let dialect = dialect
        return try await engine.read { connection in
            guard try connection.first(dialect.tableExists, "job_leases") != nil else {
                return nil
            }
            return try connection.query(restoreRecord).firstRecord(UnfinishedRestore.init)
        }
    }

    func abandonRestore() async throws -> UnfinishedRestore? {
        _ = try await migrate()
        return try await unlessOtherRestore {
            try await engine.change(restoreAbandoned).firstRecord(UnfinishedRestore.init)
        }
    }

    /// The first statement of the transaction locks the record until its end.
    private func replaceContent(
        by path: String, _ record: UnfinishedRestore,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        let (archives, dialect) = (database.archives, dialect)
        try await engine.write { target in
            try target.liftTimeLimit(dialect)
            guard try target.change(restoreEnded, arguments: record.values) == 1 else {
                throw StorageError(
                    .contention, "another restore has begun, or this one was abandoned")
            }
            // The steps of a later version wait until the content is complete.
            if dialect == .postgreSQL { try target.define("LOCK TABLE schema_steps IN SHARE MODE") }
            try Migration.checkIsKnown(target, dialect)
            try archives.open(path) { source in
                for table in StoredTable.all.reversed() {
                    _ = try target.change("DELETE FROM \(table.name)")
                }
                try StoreCopy(source: source, target: target, progress: progress).run()
            }
        }
    }

    private func write(_ statement: String, _ record: UnfinishedRestore) async throws {
        _ = try await engine.change(statement, arguments: record.values)
    }

    /// A restore that runs has the record locked.
    private func unlessOtherRestore<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let error as StorageError
            where error.code == .contention
        {
            throw StorageError(.contention, "another restore into this database runs")
        }
    }
}

extension UnfinishedRestore {
    fileprivate init(_ row: inout SQLRow) throws {
        self.init(
            process: String(decoding: try row.bytes(), as: UTF8.self), startedAt: try row.time())
    }

    /// As the statements have them.
    fileprivate var values: [SQLValue] { [Array(process.utf8).sqlValue, startedAt.sqlValue] }
}
