// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal digits, two for each byte (RFC 4648 section 8). Reads both cases.
package enum Hexadecimal {
    /// The case of the written digits `a` to `f`.
    package enum LetterCase: Sendable {
        case lower, upper
    }

    /// Returns the value of an ASCII digit, `nil` for any other byte.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the bytes, `nil` for an odd number of digits or any other character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(digits: Array(text.utf8))
    }

    static func decode(digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    package static func encode(
        _ bytes: some Sequence<UInt8>, _ letters: LetterCase = .lower
    ) -> String {
        var output: [UInt8] = []
        for byte in bytes { append(byte, letters, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the two digits of `byte`.
    package static func append(
        _ byte: UInt8, _ letters: LetterCase = .lower, to output: inout [UInt8]
    ) {
        output.append(digit(byte >> 4, letters))
        output.append(digit(byte & 15, letters))
    }

    private static func digit(_ value: UInt8, _ letters: LetterCase) -> UInt8 {
        let ten = letters == .lower ? UInt8(ascii: "a") : UInt8(ascii: "A")
        return value < 10 ? UInt8(ascii: "0") + value : ten + (value - 10)
    }

    // MARK: Numbers

    /// Returns the digits of `number`, with leading zeros up to `width`.
    package static func text(
        _ number: some BinaryInteger, width: Int = 1, _ letters: LetterCase = .lower
    ) -> String {
        let digits = String(number, radix: 16, uppercase: letters == .upper)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
