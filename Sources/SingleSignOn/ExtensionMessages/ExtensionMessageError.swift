// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no message between the agent and an extension. Whoever sends such bytes is not
/// listened to any longer.
package struct ExtensionMessageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Stable identifiers for logs and tests.
    package enum Code: String, Sendable, CaseIterable {
        /// A length that is more than ``ExtensionFrame/maximumBytes``, or nothing.
        case frameLength = "frame_length"
        /// Not one JSON object in UTF-8.
        case notJSON = "not_json"
        /// No message, request, answer or call has that name.
        case unknownKind = "unknown_kind"
        case memberMissing = "member_missing"
        /// Of another type, too long, or not among the values that there are.
        case memberMalformed = "member_malformed"
        /// A member that this version does not have.
        case memberUnknown = "member_unknown"
    }

    package let code: Code
    /// Names members, never their values: these may be secrets.
    package let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }
}
