// SPDX-License-Identifier: Apache-2.0

/// An error of reading or writing a property list.
package struct PropertyListError: Error, Sendable, Equatable {
    /// Stable identifiers for people and scripts.
    package enum Code: String, Sendable, CaseIterable {
        case tooLarge = "plist_too_large"
        case tooDeep = "plist_too_deep"
        /// More values, or more bytes of them, than the limit, after the expansion of references.
        case tooMuch = "plist_too_much"
        case unexpectedEnd = "plist_unexpected_end"
        case syntax = "plist_syntax"
        case notUTF8 = "plist_not_utf8"
        case encoding = "plist_encoding"
        case entity = "plist_entity"
        case documentType = "plist_document_type"
        /// An invalid number, date or data.
        case value = "plist_value"
        case duplicateKey = "plist_duplicate_key"
        case trailingBytes = "plist_trailing_bytes"
        /// A container contains itself.
        case cycle = "plist_cycle"
        /// A reference, offset or length that exceeds the input.
        case reference = "plist_reference"
        case unsupportedType = "plist_unsupported_type"
        /// Neither XML, binary nor JSON.
        case unknownFormat = "plist_unknown_format"
        /// The format cannot represent the value.
        case unwritable = "plist_unwritable"
    }

    package let code: Code
    /// In bytes from the start; 0 for the whole.
    package let offset: Int
    package let reason: String

    package init(_ code: Code, at offset: Int, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = reason
    }
}
