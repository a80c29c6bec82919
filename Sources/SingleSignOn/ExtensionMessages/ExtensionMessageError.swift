// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An error of decoding a message between the agent and an extension. The receiver then closes the
/// connection.
package struct ExtensionMessageError: CodedError {
    /// Stable identifiers for logs and tests.
    package enum Code: String, Sendable, CaseIterable {
        /// A length of 0, or above ``ExtensionFrame/maximumBytes``.
        case frameLength = "frame_length"
        /// Not one JSON object in UTF-8.
        case notJSON = "not_json"
        /// The name of the message, request, response or call is unknown.
        case unknownKind = "unknown_kind"
        case memberMissing = "member_missing"
        /// The member has another type, is too long, or has an unknown value.
        case memberMalformed = "member_malformed"
        /// An unknown member.
        case memberUnknown = "member_unknown"
    }

    package let code: Code
    /// The reason, with names of members and without their values, which may be secret.
    package let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
