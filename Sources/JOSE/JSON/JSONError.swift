// SPDX-License-Identifier: Apache-2.0

/// An error of parsing JSON (RFC 8259). Offsets are in bytes.
package enum JSONError: Error, Sendable, Equatable {
    /// Longer than the caller allows.
    case tooLarge
    /// More containers inside one another than the caller allows.
    case tooDeep
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case trailingBytes(offset: Int)
    case invalidUTF8(offset: Int)
    case loneSurrogate(offset: Int)
    /// The same member name twice in one object (RFC 8259 section 4 leaves it open; we refuse).
    case duplicateName(offset: Int)
    /// An integer beyond 64 bits, or a number beyond `Double`.
    case numberOutOfRange(offset: Int)
    /// It is JSON, but not an object where one is needed.
    case notAnObject

    /// A stable identifier for people and scripts.
    package var code: String {
        switch self {
        case .tooLarge: "json_too_large"
        case .tooDeep: "json_too_deep"
        case .unexpectedEnd: "json_unexpected_end"
        case .unexpectedByte: "json_unexpected_byte"
        case .trailingBytes: "json_trailing_bytes"
        case .invalidUTF8: "json_invalid_utf8"
        case .loneSurrogate: "json_lone_surrogate"
        case .duplicateName: "json_duplicate_name"
        case .numberOutOfRange: "json_number_out_of_range"
        case .notAnObject: "json_not_an_object"
        }
    }
}
