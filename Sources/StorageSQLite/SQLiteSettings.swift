// SPDX-License-Identifier: Apache-2.0
import GRDB

/// How a connection to the file behaves.
enum SQLiteSettings {
    /// The one that writes: a commit is on the disk when it returns.
    case writer
    /// One that writes to a file that nobody needs after this process: a commit waits for nothing.
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

    /// To be run on the open connection: with `journalMode` GRDB sets `synchronous = NORMAL` after
    /// `prepareDatabase`, and a commit would be durable at the next checkpoint only.
    ///
    /// Page caches are small: the system caches the file as well, and idle memory counts.
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
