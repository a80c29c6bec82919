// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An error that is independent of the PIN: no attempt was recorded, and the caller may try again.
package struct PINServiceError: CodedError {
    package enum Code: String, Sendable {
        /// A stored secret cannot be sealed or opened: the master key differs, or the row is
        /// damaged.
        case vault
        case transport
        case signing
        /// There are too many concurrent requests for one key.
        case contention
    }

    package let code: Code
    /// For the log.
    package let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
