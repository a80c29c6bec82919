// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not an acceptable CBOR data item. Two errors are equal if their codes
/// are.
package struct CBORError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Stable names, safe to show to anyone.
    package enum Code: String, Sendable, CaseIterable {
        /// The input ends inside an item.
        case truncated
        /// Bytes follow the item.
        case trailingBytes = "trailing_bytes"
        /// Additional information 28 to 30, or 31 where no indefinite length exists.
        case reservedInformation = "reserved_information"
        /// A break code outside an indefinite-length item, or instead of a map value.
        case unexpectedBreak = "unexpected_break"
        /// A chunk of an indefinite-length string is not a definite string of the same type.
        case invalidChunk = "invalid_chunk"
        /// A simple value below 32 in two bytes.
        case invalidSimpleValue = "invalid_simple_value"
        /// Text that is not UTF-8.
        case invalidText = "invalid_text"
        /// The same map key twice.
        case duplicateKey = "duplicate_key"
        /// Map keys out of order, under a profile that demands order.
        case unsortedKeys = "unsorted_keys"
        /// A number or length in a longer form than needed, under a profile that forbids it.
        case notShortest = "not_shortest"
        /// An indefinite length under a profile that forbids it.
        case indefiniteLength = "indefinite_length"
        /// A tag under a profile that forbids it.
        case tagNotAllowed = "tag_not_allowed"
        /// Nested deeper than the profile allows.
        case tooDeep = "too_deep"
        /// Longer than the profile allows.
        case tooLarge = "too_large"
        /// More items than the profile allows.
        case tooManyItems = "too_many_items"
    }

    package let code: Code
    /// The position in the input, in bytes.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package static func == (left: CBORError, right: CBORError) -> Bool { left.code == right.code }

    package var description: String { "\(code.rawValue) at byte \(offset)" }
}
