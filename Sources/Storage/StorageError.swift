// SPDX-License-Identifier: Apache-2.0

/// A failure of the store: the caller answers 503 and nothing is half-done.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The engine cannot be reached, or is closed. Nothing was changed.
        case unavailable
        /// The connection was lost while a change was under way: it may or may not have happened.
        case outcomeUnknown = "outcome_unknown"
        /// A uniqueness rule was broken. Nothing was changed.
        case conflict
        /// A row that a new row must belong to is not there (or not active). Nothing was changed.
        case missingParent = "missing_parent"
        /// Concurrent changes stood in each other's way more often than retries allow.
        case contention
        /// A stored value is not what the schema promises.
        case corrupt
        /// A file is not a backup that this version can read.
        case invalidBackup = "invalid_backup"
        /// Anything else the engine reported. Nothing was changed.
        case engine
    }

    package let code: Code
    /// For the log, never for the wire.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "store \(code.rawValue): \(reason)" }
}
