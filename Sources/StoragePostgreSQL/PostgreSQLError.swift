// SPDX-License-Identifier: Apache-2.0
import Storage

/// An error that the server reports for a statement. States: PostgreSQL documentation, appendix A.
struct PostgreSQLError: Error {
    /// `PG_DIAG_SQLSTATE`, which is a macro that Swift does not see.
    static let sqlStateField = Int32(UInt8(ascii: "C"))

    let state: String?
    let reason: String
    let connectionLost: Bool

    /// Serialization failure or deadlock: the transaction did not happen and may be tried again.
    var isTransient: Bool { state == "40001" || state == "40P01" }

    var storeError: StorageError {
        let words = "PostgreSQL \(state ?? "-"): \(reason)"
        switch state {
        case "23505": return StorageError(.conflict, words)
        case "23503": return StorageError(.missingParent, words)
        case "40001", "40P01": return StorageError(.contention, words)
        case .some(let state) where state.hasPrefix("08") || state.hasPrefix("57P"):
            return StorageError(.unavailable, words)
        default: return StorageError(connectionLost ? .unavailable : .engine, words)
        }
    }
}
