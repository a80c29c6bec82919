// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding in a URL, RFC 3986 section 2.1.
enum PercentEncoding {
    /// The text, or `nil` when an escape is cut off or the result is not UTF-8 without controls.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return bytes.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
