// SPDX-License-Identifier: Apache-2.0

/// The text of a UUID, `01890a5d-ac96-774b-bcce-b302099a8057` (RFC 9562 section 4).
package enum UUIDText {
    /// Whether the byte at that position of the text is a hyphen.
    static func isHyphen(at index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }

    /// Returns the text of 16 bytes.
    package static func encode(
        _ bytes: [UInt8], _ letters: Hexadecimal.LetterCase = .lower
    ) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(36)
        for byte in bytes {
            if isHyphen(at: output.count) { output.append(UInt8(ascii: "-")) }
            Hexadecimal.append(byte, letters, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the 16 bytes, `nil` for any other form. Upper and lower case are accepted.
    package static func decode(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count == 36,
            letters.indices.allSatisfy({
                isHyphen(at: $0) == (letters[$0] == UInt8(ascii: "-"))
            })
        else { return nil }
        return Hexadecimal.decode(digits: letters.filter { $0 != UInt8(ascii: "-") })
    }

    /// Returns the 16 bytes with the bits of that version and of the variant set.
    package static func marked(_ bytes: [UInt8], version: UInt8) -> [UInt8] {
        guard bytes.count == 16 else { return bytes }
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
