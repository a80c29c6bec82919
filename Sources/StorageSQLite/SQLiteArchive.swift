// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import Storage
package import StorageSQL

/// Backups as SQLite files.
package struct SQLiteArchive: ArchiveFormat {
    package init() {}

    package func create(
        at path: String, replacing: Bool, _ body: (any SQLConnection) throws -> Void
    ) throws {
        if !replacing { try OwnerOnlyFile.checkIsNew(path) }
        // A file that remains is harmless.
        try? removeAbandoned(besides: path)
        let temporary = Self.neighbour(of: path)
        defer { OwnerOnlyFile.remove(temporary) }
        let lock = try OwnerOnlyFile.createLocked(at: temporary)
        let database = try SQLiteDatabase(path: temporary, settings: .archive)
        do {
            defer { database.close() }
            try database.perform { connection in
                try Self.transaction(connection) {
                    _ = try Migration.runAll(connection, .sqlite)
                    try body(connection)
                }
            }
        }
        try OwnerOnlyFile.publish(temporary, at: path, replacing: replacing)
        _ = consume lock
    }

    /// Removes what killed processes have left of backups with this name. A process that writes one
    /// has a lock on its file.
    private func removeAbandoned(besides path: String) throws {
        for file in OwnerOnlyFile.names(startingWith: "\(path).")
        where file.hasSuffix(Self.suffix) {
            guard let lock = try FileLock.acquireIfFree(file) else { continue }
            OwnerOnlyFile.remove(file)
            _ = consume lock
        }
    }

    package func open(_ path: String, _ body: (any SQLConnection) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let copy = "\(folder.path)/backup"
        try OwnerOnlyFile.copy(path, to: copy)
        do {
            let database = try SQLiteDatabase(path: copy, settings: .archive)
            defer { database.close() }
            try database.perform { connection in
                try Self.check(connection)
                try body(connection)
            }
        } catch let error as StorageError where error.code == .corrupt {
            throw StorageError(.invalidBackup, error.reason)
        }
    }

    /// Opens the file itself, as it is, for repairs by hand and for tests of damage.
    package static func edit(
        _ path: String, _ body: (any SQLConnection) throws -> Void
    ) throws {
        let database = try SQLiteDatabase(path: path, settings: .archive)
        defer { database.close() }
        try database.perform(body)
    }

    /// Brings the copy to the schema of this version and looks for faults.
    private static func check(_ connection: PreparedSQLiteConnection) throws {
        guard try SQLiteEngine.faults(connection).isEmpty else {
            throw StorageError(.invalidBackup, "the file is damaged")
        }
        let done = try Migration.done(connection, .sqlite)
        guard let newest = done.max() else {
            throw StorageError(.invalidBackup, "the file is not a backup")
        }
        guard newest <= SchemaStep.all.last?.number ?? 0 else {
            throw StorageError(.invalidBackup, "the backup is of a newer version")
        }
        try transaction(connection) { _ = try Migration.runAll(connection, .sqlite) }
        let violations = try Invariant.violations(connection)
        guard violations.isEmpty else {
            throw StorageError(.invalidBackup, violations.joined(separator: "; "))
        }
    }

    private static func transaction(
        _ connection: PreparedSQLiteConnection, _ body: () throws -> Void
    ) throws {
        try connection.define("BEGIN IMMEDIATE")
        try body()
        try connection.define("COMMIT")
    }

    /// The end of the name of a file that is not yet complete.
    private static let suffix = ".partial"

    /// Returns a unique name on the same file system.
    private static func neighbour(of path: String) -> String {
        let random = SystemRandomSource().bytes(9)
        return "\(path).\(String(decoding: Base64URL.encodeBytes(random), as: UTF8.self))\(suffix)"
    }
}
