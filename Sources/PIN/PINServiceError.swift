// SPDX-License-Identifier: Apache-2.0

/// Something below failed: nothing is known about the PIN, nothing was counted, try again.
package struct PINServiceError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// A stored secret cannot be sealed or opened: another master key, or a damaged row.
        case vault
        case transport
        case signing
        /// Too many requests for one key at one moment.
        case contention
    }

    package let code: Code
    /// For the log.
    package let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }

    package static func == (left: PINServiceError, right: PINServiceError) -> Bool {
        left.code == right.code
    }
}
