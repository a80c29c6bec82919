// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage
import StorageSQL

/// One piece of work on one connection, tried again where that is safe.
///
/// Tried again: what the server rolled back for others' sake (serialization failure, deadlock),
/// and what was lost with its connection before it could have happened. A change whose
/// confirmation was lost is never tried again: it is `outcomeUnknown`.
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
                if failure.isTransient, contentions < Self.contentionLimit {
                    contentions += 1
                    pause(contentions)
                } else if failure.connectionLost, !reconnected, kind != .change {
                    reconnected = true
                } else if failure.connectionLost, kind == .change {
                    throw StorageError(.outcomeUnknown, failure.reason)
                } else {
                    throw failure.storeError
                }
            }
        }
    }

    private func once<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try connection.connect()
        switch kind {
        case .read, .change: return try body(connection)
        case .transaction: return try transaction("BEGIN", body)
        case .snapshot:
            return try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
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
        } catch let failure as PostgreSQLError where failure.connectionLost {
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
