// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage
import StorageSQL

/// One piece of work on one connection, tried again where that is safe.
///
/// Tried again: what the server rolled back for others' sake (serialization failure, deadlock),
/// what was lost with its connection before it could have happened, and, on a new connection, what
/// a server refused because it is read-only: after a failover that is the former primary. A change
/// whose confirmation was lost is never tried again: it is `outcomeUnknown`.
struct TransactionRetry {
    enum Kind {
        /// Statements that change nothing, each by itself.
        case read
        /// One changing statement, which commits by itself.
        case change
        /// Statements between `BEGIN` and `COMMIT`.
        case transaction
        /// Reads of one moment.
        case snapshot
    }

    private static let contentionLimit = 12

    private let connection: PostgreSQLConnection
    private let kind: Kind

    init(_ connection: PostgreSQLConnection, kind: Kind) {
        self.connection = connection
        self.kind = kind
    }

    func run<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        var contentions = 0
        var reconnected = false
        while true {
            do {
                return try once(body)
            } catch let failure as PostgreSQLError {
                if failure.needsNewConnection { connection.disconnect() }
                if failure.isTransient, contentions < Self.contentionLimit {
                    contentions += 1
                    pause(contentions)
                } else if isSafeToReconnect(failure), !reconnected {
                    reconnected = true
                } else if kind == .change, isOutcomeUnknown(failure) {
                    throw StorageError(.outcomeUnknown, failure.reason)
                } else {
                    throw failure.storeError
                }
            }
        }
    }

    /// Whether nothing was changed on the connection, and a new one may do better. A read-only
    /// server refuses the statement, so that applies to every kind.
    private func isSafeToReconnect(_ failure: PostgreSQLError) -> Bool {
        failure.isReadOnlyServer || failure.needsNewConnection && kind != .change
    }

    /// Whether a change may have been committed although its confirmation is missing.
    private func isOutcomeUnknown(_ failure: PostgreSQLError) -> Bool {
        failure.needsNewConnection && !failure.isReadOnlyServer
    }

    private func once<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try connection.connect()
        switch kind {
        case .read, .change: return try body(connection)
        case .transaction: return try transaction("BEGIN", body)
        case .snapshot:
            return try transaction(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(PostgreSQLLimits.none)", body)
        }
    }

    private func transaction<T>(
        _ begin: String, _ body: (any SQLConnection) throws -> T
    ) throws -> T {
        let value: T
        do {
            try connection.command(begin)
            value = try body(connection)
            // The commit of a failed transaction would report success and change nothing.
            guard connection.canCommit else {
                throw StorageError(.engine, "a statement of the transaction failed")
            }
        } catch {
            if connection.isInTransaction { try? connection.command("ROLLBACK") }
            throw error
        }
        do {
            try connection.command("COMMIT")
        } catch let failure as PostgreSQLError where isOutcomeUnknown(failure) {
            throw StorageError(.outcomeUnknown, failure.reason)
        }
        return value
    }

    /// Lets other transactions finish: longer each time, up to 50 ms, by a random time.
    private func pause(_ attempt: Int) {
        let longest = min(500 << min(attempt, 7), 50_000)
        MachineClock.sleep(.microseconds(Int64.random(in: 100...Int64(longest))))
    }
}
