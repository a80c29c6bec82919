// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL

/// One changing statement that waits for its commit, with one or more sets of arguments.
struct PendingChange: Sendable {
    let statement: String
    /// The statement runs once for each; all of it happens or nothing does.
    let sets: [[SQLValue]]
    /// Called exactly once: with the rows of the last run, or with the error.
    let answer: @Sendable (Result<[SQLRow], any Error>) -> Void

    /// Runs it by itself, tried again where that is safe.
    func run(on connection: PostgreSQLConnection) throws -> [SQLRow] {
        let kind: TransactionRetry.Kind = sets.count == 1 ? .change : .transaction
        return try TransactionRetry(connection, kind: kind).run { connection in
            var rows: [SQLRow] = []
            for arguments in sets {
                rows = try connection.change(returning: statement, arguments: arguments)
            }
            return rows
        }
    }
}
