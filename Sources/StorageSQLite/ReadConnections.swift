// SPDX-License-Identifier: Apache-2.0
import Storage
import Synchronization

/// A pool of connections for short reads, which run on the calling thread.
///
/// A caller never waits for a connection: if none is free, another is opened. There are at most as
/// many callers as threads, because a read does not suspend while it has a connection.
final class ReadConnections: Sendable {
    private struct Pool {
        var free: [SQLiteDatabase] = []
        var isClosed = false
    }

    /// The maximum number of unused open connections.
    private static let maximumUnused = 4

    private let path: String
    private let pool = Mutex(Pool())

    init(path: String) { self.path = path }

    func read<T>(_ body: (PreparedSQLiteConnection) throws -> T) throws -> T {
        let database = try acquire()
        defer { release(database) }
        return try database.perform(body)
    }

    func close() {
        let free = pool.withLock { pool in
            pool.isClosed = true
            defer { pool.free = [] }
            return pool.free
        }
        for database in free { database.close() }
    }

    private func acquire() throws -> SQLiteDatabase {
        let (free, isClosed) = pool.withLock { ($0.free.popLast(), $0.isClosed) }
        if isClosed { throw StorageError(.unavailable, "the store is closed") }
        return try free ?? SQLiteDatabase(path: path, settings: .reader)
    }

    private func release(_ database: SQLiteDatabase) {
        let isKept = pool.withLock {
            guard !$0.isClosed, $0.free.count < Self.maximumUnused else { return false }
            $0.free.append(database)
            return true
        }
        if !isKept { database.close() }
    }
}
