// SPDX-License-Identifier: Apache-2.0
import GRDB
import Storage
import StorageSQL

/// One connection to the file, used by one caller at a time.
///
/// `@unchecked Sendable`: `connection`, the only state, is touched only inside the closures of
/// `queue`, which is serial.
final class SQLiteDatabase: @unchecked Sendable {
    private let queue: DatabaseQueue
    private var connection: PreparedSQLiteConnection?

    init(path: String, settings: SQLiteSettings) throws {
        do {
            queue = try DatabaseQueue(path: path, configuration: settings.configuration)
            try queue.inDatabase { database in
                for pragma in settings.pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
            }
        } catch let error as DatabaseError {
            let code: StorageError.Code =
                error.resultCode == .SQLITE_NOTADB ? .corrupt : .unavailable
            throw StorageError(code, error.message ?? "cannot open the database file")
        }
    }

    /// Runs `body` on the calling thread.
    func perform<T>(_ body: (PreparedSQLiteConnection) throws -> T) rethrows -> T {
        try queue.inDatabase { try body(connection(for: $0)) }
    }

    /// Runs `body` on the connection's own thread.
    func schedule(_ body: @escaping @Sendable (PreparedSQLiteConnection) -> Void) {
        queue.asyncWriteWithoutTransaction { body(self.connection(for: $0)) }
    }

    func close() {
        queue.inDatabase { _ in connection = nil }
        // An open statement would only delay the closing of the file.
        try? queue.close()
    }

    private func connection(for database: Database) -> PreparedSQLiteConnection {
        if let connection { return connection }
        let made = PreparedSQLiteConnection(database)
        connection = made
        return made
    }
}
