// SPDX-License-Identifier: Apache-2.0
package import Storage
package import StorageSQL

/// SQLite in WAL mode: one writer that groups commits, and concurrent readers.
package final class SQLiteEngine: SQLEngine {
    private let path: String
    private let writer: SQLiteGroupCommit
    private let readers: ReadConnections
    /// A temporary directory that is deleted with the engine.
    private let folder: TemporaryFolder?

    package convenience init(path: String, counting count: CommitCounter? = nil) throws {
        try self.init(path: path, settings: .writer, folder: nil, counting: count)
    }

    /// Opens a file for the lifetime of this process: its commits do not wait for the disk, and a
    /// power failure may lose them. For tests that do not concern durability; no setting selects
    /// it.
    package static func passing(
        path: String, counting count: CommitCounter? = nil
    ) throws -> SQLiteEngine {
        try SQLiteEngine(path: path, settings: .passingWriter, folder: nil, counting: count)
    }

    init(
        path: String, settings: SQLiteSettings, folder: TemporaryFolder?,
        counting count: CommitCounter? = nil
    ) throws {
        try OwnerOnlyFile.create(at: path)
        self.path = path
        self.folder = folder
        writer = SQLiteGroupCommit(
            try SQLiteDatabase(path: path, settings: settings), counting: count)
        readers = ReadConnections(path: path)
    }

    package var dialect: SQLDialect { .sqlite }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try readers.read(body)
    }

    package func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        try await writer.write(isOneStatement: true) {
            try $0.change(returning: statement, arguments: arguments)
        }
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await writer.write(body)
    }

    package func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        let database = try SQLiteDatabase(path: path, settings: .reader)
        defer { database.close() }
        return try await withCheckedThrowingContinuation { continuation in
            database.schedule { connection in
                continuation.resume(with: Result { try Self.atOneMoment(connection, body) })
            }
        }
    }

    package func size() async throws -> Int64 {
        ["", "-wal"].reduce(0) { $0 + (OwnerOnlyFile.size(of: path + $1) ?? 0) }
    }

    package func selfCheck() async throws -> [String] {
        try await snapshot { try Self.faults($0) }
    }

    package func close() async {
        await writer.close()
        readers.close()
    }

    /// Returns the errors that SQLite finds.
    static func faults(_ connection: any SQLConnection) throws -> [String] {
        let integrity = try connection.query("PRAGMA integrity_check").compactMap { row in
            var row = row
            let fault = try row.text()
            return fault == "ok" ? nil : fault
        }
        let orphans = try connection.query("PRAGMA foreign_key_check").count
        return integrity + (orphans == 0 ? [] : ["\(orphans) rows whose parent is missing"])
    }

    private static func atOneMoment<T>(
        _ connection: PreparedSQLiteConnection, _ body: (any SQLConnection) throws -> T
    ) throws -> T {
        try connection.define("BEGIN")
        defer { try? connection.define("ROLLBACK") }
        return try body(connection)
    }
}
