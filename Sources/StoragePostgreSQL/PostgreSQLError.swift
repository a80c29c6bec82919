// SPDX-License-Identifier: Apache-2.0
import Storage

/// An error that the server reports for a statement. States: PostgreSQL documentation, appendix A.
struct PostgreSQLError: Error {
    /// `PG_DIAG_SQLSTATE`, which is a macro that Swift does not see.
    static let sqlStateField = Int32(UInt8(ascii: "C"))

    /// As a server that accepts no changes reports it.
    static let readOnlyServer = PostgreSQLError(
        state: "25006", reason: "the server is read-only", connectionLost: false)

    let state: String?
    let reason: String
    let connectionLost: Bool

    /// Serialization failure or deadlock: the transaction did not happen and may be tried again.
    var isTransient: Bool { state == "40001" || state == "40P01" }

    /// A lock was not free in the time of ``PostgreSQLLimits``.
    var isLockTimeout: Bool { state == "55P03" }

    /// The server does not accept changes: it is a standby, or was the primary until a failover.
    /// Nothing was changed.
    var isReadOnlyServer: Bool { state == "25006" }

    /// The connection is of no further use: it is lost, or its server stops, starts or is
    /// read-only.
    var needsNewConnection: Bool {
        guard let state else { return connectionLost }
        return connectionLost || isReadOnlyServer || Self.isUnavailable(state)
    }

    /// Connection exceptions (08…), shutdown, crash, and a server that does not accept connections.
    private static func isUnavailable(_ state: String) -> Bool {
        state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(state)
    }

    var storeError: StorageError {
        let words = "PostgreSQL \(state ?? "-"): \(reason)"
        switch state {
        // 42710 and 42P07: another process has created the same table or type.
        case "23505", "42710", "42P07": return StorageError(.conflict, words)
        case "23503": return StorageError(.missingParent, words)
        case "40001", "40P01": return StorageError(.contention, words)
        // A lock, or the end of the statement, was not reached in the time of `PostgreSQLLimits`.
        case "55P03", "57014": return StorageError(.contention, words)
        case .some(let state) where isReadOnlyServer || Self.isUnavailable(state):
            return StorageError(.unavailable, words)
        default: return StorageError(connectionLost ? .unavailable : .engine, words)
        }
    }
}
