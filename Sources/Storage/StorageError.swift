// SPDX-License-Identifier: Apache-2.0

/// An error of the store: the caller responds with 503, and nothing was changed partially.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The engine cannot be reached, or is closed. Nothing was changed.
        case unavailable
        /// The connection was lost during a change, whose outcome is unknown.
        case outcomeUnknown = "outcome_unknown"
        /// A uniqueness constraint was violated. Nothing was changed.
        case conflict
        /// A row that a new row refers to does not exist or is not active. Nothing was changed.
        case missingParent = "missing_parent"
        /// Concurrent changes conflicted more often than retries allow.
        case contention
        /// The schema is of a newer version, which this version does not support.
        case newerSchema = "newer_schema"
        /// A stored value violates the schema.
        case corrupt
        /// A file is not a backup that this version can read.
        case invalidBackup = "invalid_backup"
        /// A backup was not written because a file of that name exists. The file is unchanged.
        case fileExists = "file_exists"
        /// Any other error of the engine. Nothing was changed.
        case engine
    }

    package let code: Code
    /// For the log; never sent to clients.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "store \(code.rawValue): \(reason)" }
}
