// SPDX-License-Identifier: Apache-2.0
import StorageSQL

/// A verb that waits for its commit.
struct PendingWrite: Sendable {
    /// Runs the operation; the returned closure completes its caller.
    let run: @Sendable (PreparedSQLiteConnection) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
    /// One statement: SQLite itself undoes it when it fails.
    let isOneStatement: Bool

    init<T: Sendable>(
        isOneStatement: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        _ continuation: CheckedContinuation<T, any Error>
    ) {
        self.isOneStatement = isOneStatement
        run = { connection in
            let value = try body(connection)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }
}
