// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding in URLs and forms (RFC 3986 section 2.1).
package enum PercentEncoding {
    // MARK: Writing

    /// Returns `text` with every byte escaped that is not unreserved, in upper case.
    package static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        append(text, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends what ``encode(_:)`` returns.
    package static func append(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, .upper, to: &output)
            }
        }
    }

    /// Whether the byte never needs an escape in a URL (RFC 3986 section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    // MARK: Reading

    /// Returns the text, `nil` for an incomplete escape or invalid UTF-8.
    package static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        guard found(in: bytes).contains(.percent) else {
            return String(validating: bytes, as: UTF8.self)
        }
        return unescaped(bytes, plus: UInt8(ascii: "+")).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// Returns a name or value of `application/x-www-form-urlencoded`, where a plus sign is a
    /// space. `nil` for an incomplete escape, invalid UTF-8 or NUL.
    package static func decode(form bytes: ArraySlice<UInt8>) -> String? {
        let marks = found(in: bytes)
        guard !marks.contains(.nul) else { return nil }
        guard !marks.isEmpty else { return String(validating: bytes, as: UTF8.self) }
        guard let output = unescaped(bytes, plus: UInt8(ascii: " ")), !output.contains(0) else {
            return nil
        }
        return String(validating: output, as: UTF8.self)
    }

    private struct Marks: OptionSet {
        let rawValue: UInt8
        static let percent = Marks(rawValue: 1)
        static let plus = Marks(rawValue: 2)
        static let nul = Marks(rawValue: 4)
    }

    /// Looks at all bytes without a branch, so that the compiler uses vector instructions.
    private static func found(in bytes: ArraySlice<UInt8>) -> Marks {
        bytes.withUnsafeBufferPointer { bytes in
            var marks: UInt8 = 0
            for byte in bytes {
                marks |= byte == UInt8(ascii: "%") ? Marks.percent.rawValue : 0
                marks |= byte == UInt8(ascii: "+") ? Marks.plus.rawValue : 0
                marks |= byte == 0 ? Marks.nul.rawValue : 0
            }
            return Marks(rawValue: marks)
        }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>, plus: UInt8) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): output.append(plus)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                    let low = rest.popFirst().flatMap(Hexadecimal.value)
                else { return nil }
                output.append(high << 4 | low)
            default: output.append(byte)
            }
        }
        return output
    }
}
