// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not the property list that this room reads or writes.
package struct PropertyListError: Error, Sendable, Equatable {
    /// Stable identifiers for people and scripts.
    package enum Code: String, Sendable, CaseIterable {
        case tooLarge = "plist_too_large"
        case tooDeep = "plist_too_deep"
        /// More values, or more bytes of them, than the limit when all references are followed.
        case tooMuch = "plist_too_much"
        case unexpectedEnd = "plist_unexpected_end"
        case syntax = "plist_syntax"
        case notUTF8 = "plist_not_utf8"
        case encoding = "plist_encoding"
        case entity = "plist_entity"
        case documentType = "plist_document_type"
        /// A number, date or data that does not spell one.
        case value = "plist_value"
        case duplicateKey = "plist_duplicate_key"
        case trailingBytes = "plist_trailing_bytes"
        /// A container that holds itself.
        case cycle = "plist_cycle"
        /// A reference, offset or length that points outside.
        case reference = "plist_reference"
        case unsupportedType = "plist_unsupported_type"
        /// Neither XML, binary nor JSON.
        case unknownFormat = "plist_unknown_format"
        /// What the format cannot carry.
        case unwritable = "plist_unwritable"
    }

    package let code: Code
    /// In bytes from the start; 0 when it is about the whole.
    package let offset: Int
    package let reason: String

    package init(_ code: Code, at offset: Int, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = reason
    }
}
