// SPDX-License-Identifier: Apache-2.0
import GRDB

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

    var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "gatehouse.sqlite"
        configuration.busyMode = .timeout(10)
        configuration.allowsUnsafeTransactions = true
        if self == .writer || self == .passingWriter { configuration.journalMode = .wal }
        return configuration
    }

    /// The pragmas to run on the open connection. With `journalMode` GRDB sets `synchronous =
    /// NORMAL` after `prepareDatabase`, and a commit would be durable at the next checkpoint only.
    ///
    /// Page caches are small, because the system caches the file as well and idle memory is
    /// limited.
    var pragmas: [String] {
        switch self {
        case .writer: ["synchronous = FULL", "cache_size = -4096", "journal_size_limit = 16777216"]
        case .passingWriter:
            ["synchronous = OFF", "cache_size = -4096", "journal_size_limit = 16777216"]
        case .reader: ["query_only = ON", "cache_size = -1024"]
        case .archive: ["journal_mode = OFF", "synchronous = OFF", "cache_size = -4096"]
        }
    }
}
