// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Storage
import StorageSQL

/// One connection to the file, used by one caller at a time.
///
/// `@unchecked Sendable`: `connection`, the only state, is touched only inside the closures of
/// `queue`, which is serial.
final class SQLiteDatabase: @unchecked Sendable {
    private let queue = DispatchQueue(label: "gatehouse.sqlite")
    private let connection: PreparedSQLiteConnection

    init(path: String, settings: SQLiteSettings) throws {
        do {
            connection = try PreparedSQLiteConnection(path: path)
            try settings.apply(to: connection)
            // Reads the file, which may not be a database.
            try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        } catch let error as StorageError {
            throw StorageError(error.code == .corrupt ? .corrupt : .unavailable, error.reason)
        }
    }

    /// Runs `body` on the calling thread.
    func perform<T>(_ body: (PreparedSQLiteConnection) throws -> T) rethrows -> T {
        try queue.sync { try body(connection) }
    }

    /// Runs `body` on the connection's own thread.
    func schedule(_ body: @escaping @Sendable (PreparedSQLiteConnection) -> Void) {
        queue.async { body(self.connection) }
    }

    func close() { queue.sync { connection.close() } }
}
