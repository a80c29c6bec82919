// SPDX-License-Identifier: Apache-2.0

/// application/x-www-form-urlencoded, as RFC 6749 appendix B uses it.
package enum FormEncoding {
    /// Appends the encoded form of `text`.
    package static func append(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            if byte.isUnreserved {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            }
        }
    }

    /// Returns `text` with all characters percent-encoded that RFC 3986 does not list as
    /// unreserved.
    package static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        append(text, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// `name=value&name=value`.
    package static func encode(_ parameters: [(name: String, value: String)]) -> String {
        var output: [UInt8] = []
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { output.append(UInt8(ascii: "&")) }
            append(parameter.name, to: &output)
            output.append(UInt8(ascii: "="))
            append(parameter.value, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the decoded text; `nil` for a bad escape, invalid UTF-8 or NUL.
    package static func decode(_ letters: some Collection<UInt8>) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(letters.count)
        var iterator = letters.makeIterator()
        while let letter = iterator.next() {
            switch letter {
            case UInt8(ascii: "+"):
                output.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexValue),
                    let low = iterator.next().flatMap(hexValue)
                else { return nil }
                output.append(high << 4 | low)
            default:
                output.append(letter)
            }
        }
        guard !output.contains(0) else { return nil }
        return String(validating: output, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }

    private static func hexValue(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    /// Whether it is an unreserved character of a URI (RFC 3986 section 2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
