// SPDX-License-Identifier: Apache-2.0

/// A member of a JSON object that a ``JSONReader`` does not accept. It does not contain the value,
/// which can be secret.
package struct JSONMemberError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case missing
        /// Another type or value, with what it is: `number`.
        case malformed(String)
        case unknown
    }

    /// The path of the member: `options.user.id`.
    package let member: String
    package let reason: Reason
    /// What would be right: `a string of 1 to 64 bytes`.
    package let expected: String

    package var description: String {
        switch reason {
        case .missing: "\"\(member)\" is missing: it must be \(expected)"
        case .malformed(let kind): "\"\(member)\" must be \(expected), not \(kind)"
        case .unknown: "\"\(member)\" is unknown\(expected)"
        }
    }

    /// Returns the name of the value's type, for an error.
    static func kind(of value: JSONValue?) -> String {
        switch value {
        case nil: "absent"
        case .null: "null"
        case .bool: "this boolean"
        case .integer, .number: "this number"
        case .string: "this string"
        case .array: "this array"
        case .object: "this object"
        }
    }
}
