// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL

/// The settings of a connection to the file.
enum SQLiteSettings {
    /// The one that writes: a commit is on the disk when it returns.
    case writer
    /// A writer to a file that is not needed after this process: a commit does not wait.
    case passingWriter
    /// One that reads.
    case reader
    /// A private file that becomes visible only when it is whole: no journal, no waiting.
    case archive

    func apply(to connection: PreparedSQLiteConnection) throws {
        try connection.execute("PRAGMA foreign_keys = ON")
        if self == .writer || self == .passingWriter { try Self.useLog(connection) }
        for pragma in pragmas { try connection.execute("PRAGMA \(pragma)") }
    }

    /// Page caches are small, because the system caches the file as well and idle memory is
    /// limited.
    private var pragmas: [String] {
        switch self {
        case .writer: ["synchronous = FULL", "cache_size = -4096", "journal_size_limit = 16777216"]
        case .passingWriter:
            ["synchronous = OFF", "cache_size = -4096", "journal_size_limit = 16777216"]
        case .reader: ["query_only = ON", "cache_size = -1024"]
        case .archive: ["journal_mode = OFF", "synchronous = OFF", "cache_size = -4096"]
        }
    }

    /// Turns on the write-ahead log. SQLite does not fail where it cannot, but says so.
    private static func useLog(_ connection: PreparedSQLiteConnection) throws {
        var row = try connection.waitingForLocks { try $0.first("PRAGMA journal_mode = WAL") }
        guard try row?.text() == "wal" else {
            throw StorageError(.unavailable, "the file system allows no write-ahead log")
        }
    }
}
