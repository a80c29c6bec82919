// SPDX-License-Identifier: Apache-2.0
import Primitives

extension CBORValue {
    /// The diagnostic notation of RFC 8949 section 8, on one line.
    ///
    /// Control characters and direction marks in text are escaped, so the line can be logged.
    package var diagnostic: String {
        switch self {
        case .unsigned(let number): String(number)
        case .negative(let number):
            number == .max ? "-18446744073709551616" : "-\(number + 1)"
        case .bytes(let bytes): Self.hex(bytes)
        case .text(let text): Self.quoted(text)
        case .array(let items): "[\(Self.list(items))]"
        case .map(let entries): "{\(Self.list(entries))}"
        case .tagged(let tag, let content):
            Self.bignum(tag, content) ?? "\(tag)(\(content.diagnostic))"
        case .simple(let value): Self.simpleName(value)
        case .float(let number): Self.decimal(number)
        case .indefiniteBytes(let chunks):
            chunks.isEmpty ? "''_" : "(_ \(chunks.map(Self.hex).joined(separator: ", ")))"
        case .indefiniteText(let chunks):
            chunks.isEmpty ? "\"\"_" : "(_ \(chunks.map(Self.quoted).joined(separator: ", ")))"
        case .indefiniteArray(let items): "[_ \(Self.list(items))]"
        case .indefiniteMap(let entries): "{_ \(Self.list(entries))}"
        }
    }

    private static func list(_ items: [CBORValue]) -> String {
        items.map(\.diagnostic).joined(separator: ", ")
    }

    private static func list(_ entries: [CBOREntry]) -> String {
        entries.map { "\($0.key.diagnostic): \($0.value.diagnostic)" }.joined(separator: ", ")
    }

    private static func simpleName(_ value: UInt8) -> String {
        switch value {
        case 20: "false"
        case 21: "true"
        case 22: "null"
        case 23: "undefined"
        default: "simple(\(value))"
        }
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        "h'\(Hexadecimal.encode(bytes))'"
    }

    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                if isInvisible(scalar) {
                    output += "\\u" + Hexadecimal.text(scalar.value, width: 4)
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        return output + "\""
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
