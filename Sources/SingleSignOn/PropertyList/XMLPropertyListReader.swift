// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Reads property lists in XML, as Apple's document type has them (plist(5)).
struct XMLPropertyListReader: ~Copyable {
    private var scanner: XMLScanner
    private var budget: PropertyListBudget

    static func read(
        _ text: XMLText, limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListNode {
        var reader = XMLPropertyListReader(
            scanner: try XMLScanner(text.utf8), budget: PropertyListBudget(limits))
        return try reader.document(in: text.encoding)
    }

    private init(scanner: consuming XMLScanner, budget: PropertyListBudget) {
        self.scanner = scanner
        self.budget = budget
    }

    private mutating func document(
        in encoding: XMLText.Encoding
    ) throws(PropertyListError) -> PropertyListNode {
        try scanner.declaration(in: encoding)
        try scanner.skipBetweenTags()
        try scanner.documentType()
        let root = try scanner.tag()
        guard root.name == "plist", root.kind == .opening else {
            throw PropertyListError(.syntax, at: root.offset, "the root must be <plist>")
        }
        let node = try value(of: try scanner.tag(), depth: 0)
        let end = try scanner.tag()
        guard end.name == "plist", end.kind == .closing else {
            throw PropertyListError(.syntax, at: end.offset, "<plist> must contain one value")
        }
        try scanner.skipBetweenTags()
        guard scanner.isAtEnd else {
            throw PropertyListError(.trailingBytes, at: scanner.index, "more after </plist>")
        }
        return node
    }

    private mutating func value(
        of tag: XMLScanner.Tag, depth: Int
    ) throws(PropertyListError) -> PropertyListNode {
        guard tag.kind != .closing else {
            throw PropertyListError(.syntax, at: tag.offset, "</\(tag.name)> where a value must be")
        }
        try budget.spend(at: tag.offset)
        switch tag.name {
        case "dict": return PropertyListNode(try dictionary(tag, depth: depth), at: tag.offset)
        case "array": return PropertyListNode(try array(tag, depth: depth), at: tag.offset)
        default: return PropertyListNode(try scalar(tag), at: tag.offset)
        }
    }

    // MARK: Containers

    private mutating func dictionary(
        _ tag: XMLScanner.Tag, depth: Int
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let depth = try budget.enter(depth, at: tag.offset)
        var members: [PropertyListNode.Member] = []
        guard tag.kind == .opening else { return .dictionary(members) }
        var names: Set<String> = []
        while true {
            let key = try scanner.tag()
            if key.kind == .closing, key.name == "dict" { return .dictionary(members) }
            guard key.name == "key", key.kind != .closing else {
                throw PropertyListError(
                    .syntax, at: key.offset, "<\(key.name)> where a <key> must be")
            }
            let name = key.kind == .empty ? "" : try scanner.content(of: "key")
            guard names.insert(name).inserted else {
                throw PropertyListError(
                    .duplicateKey, at: key.offset, "\"\(name)\" is here more than once")
            }
            let node = try value(of: try scanner.tag(), depth: depth)
            members.append(
                PropertyListNode.Member(name: name, offset: key.offset, node: node))
        }
    }

    private mutating func array(
        _ tag: XMLScanner.Tag, depth: Int
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let depth = try budget.enter(depth, at: tag.offset)
        var nodes: [PropertyListNode] = []
        guard tag.kind == .opening else { return .array(nodes) }
        while true {
            let element = try scanner.tag()
            if element.kind == .closing, element.name == "array" { return .array(nodes) }
            nodes.append(try value(of: element, depth: depth))
        }
    }

    // MARK: Single values

    private mutating func scalar(
        _ tag: XMLScanner.Tag
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let known = ["string", "integer", "real", "true", "false", "date", "data"]
        guard known.contains(tag.name) else {
            throw PropertyListError(
                .unsupportedType, at: tag.offset, "<\(tag.name)> is not a type of a property list")
        }
        let text = tag.kind == .empty ? "" : try scanner.content(of: tag.name)
        guard let value = Self.value(of: text, as: tag.name) else {
            throw PropertyListError(.value, at: tag.offset, "this spells no \(tag.name)")
        }
        return value
    }

    private static func value(of text: String, as type: String) -> PropertyListNode.Value? {
        switch type {
        case "string": return .string(text)
        case "true", "false": return text.isEmpty ? .boolean(type == "true") : nil
        case "data":
            let letters = text.utf8.filter { !XMLScanner.isSpace($0) }
            return Base64.decode(String(decoding: letters, as: UTF8.self)).map { .data($0) }
        default: break
        }
        let word = trimmed(text)
        switch type {
        case "integer": return integer(word).map { .integer($0) }
        case "real": return real(word).map { .real($0) }
        // In UTC and whole seconds, nothing else.
        case "date" where word.utf8.count == 20 && word.hasSuffix("Z"):
            return Timestamp(rfc3339: word).map { .date($0) }
        default: return nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        let letters = text.utf8.drop(while: XMLScanner.isSpace)
        let end = letters.lastIndex { !XMLScanner.isSpace($0) }
        return end.flatMap { String(letters[...$0]) } ?? ""
    }

    /// Decimal, or hexadecimal after `0x`.
    private static func integer(_ word: String) -> Int64? {
        let isNegative = word.hasPrefix("-")
        let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        guard let first = number.utf8.first, first != 0x2B, first != 0x2D else { return nil }
        return Int64((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10)
    }

    private static func real(_ word: String) -> Double? {
        let letters = Set("0123456789+-.eE".utf8)
        guard word.utf8.allSatisfy(letters.contains), let value = Double(word), value.isFinite
        else { return nil }
        return value
    }
}
