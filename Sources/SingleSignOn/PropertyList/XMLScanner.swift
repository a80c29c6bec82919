// SPDX-License-Identifier: Apache-2.0

/// Walks over the tags and texts of a property list in XML 1.0.
///
/// Only what a property list needs: no attribute but `version` and `xmlns` of `plist`, no entity but
/// the five of XML and numbers, no subset in the document type. There is nothing left that could
/// grow, or fetch.
struct XMLScanner: ~Copyable {
    struct Tag {
        enum Kind { case opening, closing, empty }

        let name: String
        let kind: Kind
        /// The offset of its `<`.
        let offset: Int
    }

    private let bytes: [UInt8]
    private(set) var index = 0
    /// Whether the text begins with a byte order mark.
    let hasMark: Bool

    /// - Parameter bytes: in UTF-8.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        self.bytes = bytes
        hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        try Self.checkLetters(of: bytes)
        if hasMark { index = 3 }
    }

    var isAtEnd: Bool { index >= bytes.count }

    /// Checks for UTF-8 with only the characters of XML 1.0 section 2.2.
    private static func checkLetters(of bytes: [UInt8]) throws(PropertyListError) {
        var parser = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let letter):
                let scalar = UTF8.decode(letter)
                guard isAllowed(scalar) else {
                    throw PropertyListError(.syntax, at: offset, "a control character")
                }
                offset += letter.count
            case .error: throw PropertyListError(.notUTF8, at: offset, "not UTF-8")
            case .emptyInput: return
            }
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0xFFFE, 0x10000...: true
        case 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    // MARK: Single steps

    func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + count)]) }
    }

    mutating func skip(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    /// Returns whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Returns the text before the next `end`, and skips both.
    mutating func text(before end: StaticString) throws(PropertyListError) -> String {
        let start = index
        while index < bytes.count {
            if starts(with: end) {
                defer { index += end.utf8CodeUnitCount }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            }
            index += 1
        }
        throw PropertyListError(.unexpectedEnd, at: start, "\(end) is missing")
    }

    /// Skips white space, comments and processing instructions.
    mutating func skipBetweenTags() throws(PropertyListError) {
        while true {
            skipSpace()
            if skip("<!--") {
                _ = try text(before: "-->")
            } else if skip("<?") {
                _ = try text(before: "?>")
            } else {
                return
            }
        }
    }

    // MARK: Tags

    /// Returns the next tag, after only white space and comments.
    mutating func tag() throws(PropertyListError) -> Tag {
        try skipBetweenTags()
        guard index < bytes.count else {
            throw PropertyListError(.unexpectedEnd, at: index, "the text ends inside an element")
        }
        let start = index
        guard skip("<") else {
            throw PropertyListError(.syntax, at: start, "text between elements")
        }
        let isClosing = skip("/")
        let name = try self.name()
        var names: Set<String> = []
        while skipSpace(), index < bytes.count, Self.isNameLetter(bytes[index]) {
            try attribute(of: name, isClosing: isClosing, names: &names)
        }
        let isEmpty = !isClosing && skip("/")
        guard skip(">") else {
            throw PropertyListError(.syntax, at: index, "the tag <\(name)> does not end")
        }
        return Tag(
            name: name, kind: isClosing ? .closing : isEmpty ? .empty : .opening, offset: start)
    }

    private mutating func name() throws(PropertyListError) -> String {
        let start = index
        while index < bytes.count, Self.isNameLetter(bytes[index]), index - start < 64 {
            index += 1
        }
        guard index > start else {
            throw PropertyListError(.syntax, at: start, "a tag without a name")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNameLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Reads an attribute. Only `version` and `xmlns` of `plist` are allowed, each once.
    private mutating func attribute(
        of tag: String, isClosing: Bool, names: inout Set<String>
    ) throws(PropertyListError) {
        let start = index
        let name = try self.name()
        skipSpace()
        guard tag == "plist", !isClosing, ["version", "xmlns"].contains(name),
            names.insert(name).inserted, skip("=")
        else {
            throw PropertyListError(.syntax, at: start, "<\(tag)> has no attribute \(name) here")
        }
        skipSpace()
        let value = try attributeValue()
        guard name == "xmlns" || ["1.0", "1", "0.9"].contains(value) else {
            throw PropertyListError(.syntax, at: start, "the version is not \"1.0\"")
        }
    }

    /// Between quotation marks, without references.
    private mutating func attributeValue() throws(PropertyListError) -> String {
        let start = index
        let value =
            skip("\"") ? try text(before: "\"") : skip("'") ? try text(before: "'") : nil
        guard let value, value.utf8.count <= 256,
            !value.utf8.contains(where: { "<&".utf8.contains($0) })
        else {
            throw PropertyListError(.syntax, at: start, "no value of an attribute between \"\"")
        }
        return value
    }

    // MARK: Text

    /// Returns the text up to `</name>`, and skips both; references are replaced, and line ends
    /// become line feeds (XML 1.0 section 2.11).
    mutating func content(of name: String) throws(PropertyListError) -> String {
        var letters: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "<"):
                if skip("<![CDATA[") {
                    letters += try text(before: "]]>").utf8
                } else if skip("<!--") {
                    _ = try text(before: "-->")
                } else {
                    try close(name)
                    return String(decoding: letters, as: UTF8.self)
                }
            case UInt8(ascii: "&"):
                letters += try reference().utf8
            case UInt8(ascii: "\r"):
                index += 1
                if index >= bytes.count || bytes[index] != UInt8(ascii: "\n") {
                    letters.append(0x0A)
                }
            default:
                letters.append(byte)
                index += 1
            }
        }
        throw PropertyListError(.unexpectedEnd, at: index, "</\(name)> is missing")
    }

    private mutating func close(_ name: String) throws(PropertyListError) {
        let tag = try tag()
        guard tag.kind == .closing, tag.name == name else {
            throw PropertyListError(
                .syntax, at: tag.offset, "<\(tag.name)> inside <\(name)>; is </\(name)> missing?")
        }
    }

    /// Reads `&amp;` and the other named references, or a numeric one.
    private mutating func reference() throws(PropertyListError) -> String {
        let start = index
        index += 1
        let named: [(StaticString, String)] = [
            ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
        ]
        for (name, letter) in named where skip(name) { return letter }
        guard skip("#") else {
            throw PropertyListError(
                .entity, at: start, "an entity that is not of XML itself; write &amp; for an &")
        }
        let radix = skip("x") ? 16 : 10
        let digits = bytes[index...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
        index += digits.count
        // `UInt32.init` accepts a sign, which XML does not.
        guard skip(";"), digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: radix),
            let scalar = Unicode.Scalar(number), Self.isAllowed(scalar)
        else { throw PropertyListError(.entity, at: start, "not the number of a character") }
        return String(scalar)
    }
}
