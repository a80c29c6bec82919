// SPDX-License-Identifier: Apache-2.0

/// The text of a property list in XML, as UTF-8: files in UTF-16 and ISO-8859-1 are converted.
///
/// The encoding is detected by XML 1.0 appendix F: from a byte order mark, from the first two
/// characters in UTF-16, otherwise from the declaration. UTF-8 text is not validated here.
struct XMLText: Sendable {
    enum Encoding: Sendable {
        case utf8
        case utf16(isBigEndian: Bool)
        case latin1

        /// Whether a declaration may use this name for the encoding.
        func isNamed(_ name: some StringProtocol) -> Bool {
            switch self {
            case .utf8: ["utf-8", "utf8", "us-ascii", "ascii"].contains(name)
            case .utf16(let isBigEndian):
                ["utf-16", isBigEndian ? "utf-16be" : "utf-16le"].contains(name)
            case .latin1: ["iso-8859-1", "iso_8859-1", "latin1", "latin-1"].contains(name)
            }
        }
    }

    let encoding: Encoding
    let utf8: [UInt8]

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        encoding = try Self.encoding(of: bytes)
        switch encoding {
        case .utf8: utf8 = bytes
        case .latin1:
            utf8 = Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        case .utf16(let isBigEndian): utf8 = try Self.utf8(ofUTF16: bytes, isBigEndian: isBigEndian)
        }
    }

    private static func encoding(of bytes: [UInt8]) throws(PropertyListError) -> Encoding {
        switch Array(bytes.prefix(4)) {
        case [0xFF, 0xFE, 0, 0], [0x3C, 0, 0, 0]:
            throw PropertyListError(.encoding, at: 0, "UTF-32; save the file as UTF-8")
        case let mark where mark.starts(with: [0xFE, 0xFF]): return .utf16(isBigEndian: true)
        case let mark where mark.starts(with: [0xFF, 0xFE]): return .utf16(isBigEndian: false)
        case [0, 0x3C, 0, 0x3F]: return .utf16(isBigEndian: true)
        case [0x3C, 0, 0x3F, 0]: return .utf16(isBigEndian: false)
        default: return declaresLatin1(bytes) ? .latin1 : .utf8
        }
    }

    /// Whether the declaration names ISO-8859-1. It is ASCII in every encoding without a mark,
    /// except UTF-16.
    private static func declaresLatin1(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(256)
        guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">"))
        else {
            return false
        }
        let declaration = String(decoding: start[..<end], as: UTF8.self)
        return encodingName(in: declaration).map { Encoding.latin1.isNamed($0) } ?? false
    }

    /// The value of `encoding="…"` in lower case.
    static func encodingName(in declaration: String) -> String? {
        let text = declaration.lowercased().replacing("'", with: "\"")
        guard let start = text.firstRange(of: "encoding=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    private static func utf8(
        ofUTF16 bytes: [UInt8], isBigEndian: Bool
    ) throws(PropertyListError) -> [UInt8] {
        guard bytes.count.isMultiple(of: 2) else {
            throw PropertyListError(
                .encoding, at: bytes.count - 1, "half a character at the end of UTF-16")
        }
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (high, low) = isBigEndian ? (index, index + 1) : (index + 1, index)
            return UInt16(bytes[high]) << 8 | UInt16(bytes[low])
        }
        var parser = UTF16.ForwardParser()
        var rest = units.makeIterator()
        var text: [UInt8] = []
        text.reserveCapacity(units.count)
        var count = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let letter):
                count += letter.count
                text += UTF8.encode(UTF16.decode(letter)) ?? UTF8.encodedReplacementCharacter
            case .error:
                throw PropertyListError(.encoding, at: 2 * count, "half a surrogate pair in UTF-16")
            case .emptyInput: return text
            }
        }
    }
}
