// SPDX-License-Identifier: Apache-2.0
import Primitives

extension JSONValue {
    /// Compact JSON: no white space, members in order, only what must be escaped is escaped.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The same as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends the compact form. A number without a JSON form (infinity) becomes `null`.
    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: JSONText.append(literal: "null", to: &output)
        case .bool(let value): JSONText.append(literal: value ? "true" : "false", to: &output)
        case .integer(let value): JSONText.append(value, to: &output)
        case .number(let value):
            output.append(contentsOf: Array((value.isFinite ? value.description : "null").utf8))
        case .string(let value): JSONText.append(value, to: &output)
        case .array(let elements): Self.write(elements, to: &output)
        case .object(let object): object.write(to: &output)
        }
    }

    private static func write(_ elements: [JSONValue], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            element.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension JSONObject {
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    package func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            JSONText.append(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

/// The text of single JSON values.
enum JSONText {
    /// Appends an unquoted literal.
    static func append(literal: StaticString, to output: inout [UInt8]) {
        literal.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        var magnitude = value.magnitude
        let start = output.count
        repeat {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        output[start...].reverse()
    }

    static func append(_ values: [String], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(value, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    /// Quoted and escaped.
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { letters in
            // Without an early exit, the compiler vectorizes the loop.
            var mustEscape = false
            for letter in letters { mustEscape = needsEscape(letter) || mustEscape }
            if mustEscape {
                for letter in letters { append(escaping: letter, to: &output) }
            } else {
                output.append(contentsOf: letters)
            }
        }
        if done == nil { for letter in text.utf8 { append(escaping: letter, to: &output) } }
        output.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ letter: UInt8) -> Bool {
        letter < 0x20 || letter == UInt8(ascii: "\"") || letter == UInt8(ascii: "\\")
    }

    private static func append(escaping letter: UInt8, to output: inout [UInt8]) {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.append(UInt8(ascii: "\\"))
            output.append(letter)
        case 0x08: append(literal: "\\b", to: &output)
        case 0x09: append(literal: "\\t", to: &output)
        case 0x0A: append(literal: "\\n", to: &output)
        case 0x0C: append(literal: "\\f", to: &output)
        case 0x0D: append(literal: "\\r", to: &output)
        case 0..<0x20:
            append(literal: "\\u00", to: &output)
            Hexadecimal.append(letter, to: &output)
        default: output.append(letter)
        }
    }
}
