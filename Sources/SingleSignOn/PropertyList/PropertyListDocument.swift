// SPDX-License-Identifier: Apache-2.0

/// A property list as read: its value, its format, and the location of each part.
package struct PropertyListDocument: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case xml
        case binary
        case json
    }

    /// The location of a value: a line for text, an offset for binary data.
    package enum Position: Sendable, Equatable, CustomStringConvertible {
        /// Both start at 1; the column is in characters.
        case text(line: Int, column: Int)
        case byte(Int)

        package var description: String {
            switch self {
            case .text(let line, let column): "\(line):\(column)"
            case .byte(let offset): "byte \(offset)"
            }
        }
    }

    package let format: Format
    package let root: PropertyListNode
    /// The original bytes; for XML, as UTF-8.
    private let bytes: [UInt8]

    /// Reads XML, binary or JSON, detected from the first bytes.
    package init(
        _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else {
            throw PropertyListError(.tooLarge, at: 0, "longer than \(limits.bytes) bytes")
        }
        guard let format = Self.format(of: bytes) else {
            throw PropertyListError(
                .unknownFormat, at: 0, "neither an XML nor a binary property list, nor JSON")
        }
        self.format = format
        switch format {
        case .xml:
            let text = try XMLText(bytes)
            self.bytes = text.utf8
            root = try XMLPropertyListReader.read(text, limits: limits)
        case .binary:
            self.bytes = bytes
            root = try BinaryPropertyListReader.read(bytes, limits: limits)
        case .json:
            self.bytes = bytes
            root = try JSONPropertyListReader.read(bytes, limits: limits)
        }
    }

    /// Returns the format by the first bytes; `nil` if unknown.
    package static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
        // Byte order marks of UTF-8, UTF-16 and UTF-32, and UTF-16 without one: the XML reader
        // reports which it supports.
        if [0xEF, 0xFE, 0xFF].contains(bytes.first) || bytes.starts(with: [0, 0x3C]) {
            return .xml
        }
        switch bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "<"): return .xml
        case UInt8(ascii: "{"): return .json
        default: return nil
        }
    }

    package func place(at offset: Int) -> Position { Self.place(at: offset, in: bytes) }

    /// Returns the location of an error of reading `bytes`: for XML in its UTF-8 form, if there is
    /// one.
    static func place(of error: PropertyListError, in bytes: [UInt8]) -> Position {
        guard format(of: bytes) == .xml else { return place(at: error.offset, in: bytes) }
        guard let text = try? XMLText(bytes) else { return .byte(error.offset) }
        return place(at: error.offset, in: text.utf8)
    }

    /// - Parameter offset: In bytes; an offset past the end is the end.
    private static func place(at offset: Int, in bytes: [UInt8]) -> Position {
        guard format(of: bytes) != .binary else { return .byte(offset) }
        let before = bytes.prefix(max(offset, 0))
        let lineFeed = UInt8(ascii: "\n")
        let line = before.reduce(1) { $1 == lineFeed ? $0 + 1 : $0 }
        let start = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
        // UTF-8 continuation bytes are not characters.
        let column = before[start...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return .text(line: line, column: column)
    }
}
