// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Quoted-printable, RFC 2045 section 6.7: text stays readable, and no line is longer than 76.
enum QuotedPrintable {
    /// The encoded text; any of LF, CR and CRLF becomes CRLF, and the last line ends in one.
    static func encode(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        for line in lines(Array(text.utf8)) {
            append(line, to: &output)
            output += [0x0D, 0x0A]
        }
        return output
    }

    private static func append(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var column = 0
        for (index, byte) in zip(line.indices, line) {
            let isLast = index == line.endIndex - 1
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                || (byte == 0x20 || byte == 0x09) && !isLast
            let piece = isPlain ? [byte] : escape(byte)
            // One column stays free for the `=` that continues the line.
            if column + piece.count > 75 {
                output += [UInt8(ascii: "="), 0x0D, 0x0A]
                column = 0
            }
            output += piece
            column += piece.count
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        var output = [UInt8(ascii: "=")]
        Hexadecimal.append(byte, .upper, to: &output)
        return output
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            lines.append(bytes[start..<(position - 1)])
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            start = position
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }
}
