// SPDX-License-Identifier: Apache-2.0

/// One CBOR data item (RFC 8949 section 2).
///
/// Byte strings are slices of the input, so decoding copies none of them. The indefinite-length
/// forms preserve their chunks for the diagnostic notation; the encoder always writes definite
/// forms.
package enum CBORValue: Sendable, Equatable {
    /// Major type 0.
    case unsigned(UInt64)
    /// Major type 1: the number `-1 - n`, which reaches below `Int64.min`.
    case negative(UInt64)
    /// Major type 2.
    case bytes(ArraySlice<UInt8>)
    /// Major type 3, valid UTF-8.
    case text(String)
    /// Major type 4.
    case array([CBORValue])
    /// Major type 5, in the order of the input.
    case map([CBOREntry])
    /// Major type 6.
    indirect case tagged(UInt64, CBORValue)
    /// Major type 7, a simple value: 20 false, 21 true, 22 null, 23 undefined.
    case simple(UInt8)
    /// Major type 7, a floating-point number of any width.
    case float(Double)

    /// A byte string sent in chunks.
    case indefiniteBytes([ArraySlice<UInt8>])
    /// A text string sent in chunks, each valid UTF-8 by itself.
    case indefiniteText([String])
    /// An array without a count.
    case indefiniteArray([CBORValue])
    /// A map without a count.
    case indefiniteMap([CBOREntry])
}

/// A key with its value.
package struct CBOREntry: Sendable, Equatable {
    package let key: CBORValue
    package let value: CBORValue

    package init(_ key: CBORValue, _ value: CBORValue) {
        self.key = key
        self.value = value
    }
}

extension CBORValue {
    /// An integer of either sign.
    package static func integer(_ number: Int64) -> CBORValue {
        number < 0 ? .negative(UInt64(bitPattern: ~number)) : .unsigned(UInt64(number))
    }

    /// A byte string.
    package static func byteString(_ bytes: some Sequence<UInt8>) -> CBORValue {
        .bytes(ArraySlice(bytes))
    }

    package static func bool(_ value: Bool) -> CBORValue { .simple(value ? 21 : 20) }
    package static var null: CBORValue { .simple(22) }

    /// The integer, if it fits into `Int64`.
    package var int64: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { ~$0 }
        default: nil
        }
    }

    /// The bytes, when this is a definite byte string.
    package var byteString: ArraySlice<UInt8>? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The text, when this is a definite text string.
    package var textString: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items, when this is a definite array.
    package var items: [CBORValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The entries, when this is a definite map.
    package var entries: [CBOREntry]? {
        if case .map(let entries) = self { entries } else { nil }
    }

    /// The value of the text `key`, when this is a map that has it.
    package subscript(_ key: String) -> CBORValue? {
        entries?.first { $0.key == .text(key) }?.value
    }

    /// The value of the integer `key`, when this is a map that has it.
    package subscript(_ key: Int64) -> CBORValue? {
        entries?.first { $0.key == .integer(key) }?.value
    }
}
