// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A reader of JSON (RFC 8259), the form of declarations, with the offset of each value.
///
/// The package's strict parser validates the JSON first. This reader walks over the same text
/// together with the parsed value only to find the offsets.
struct JSONPropertyListReader: ~Copyable {
    private let bytes: [UInt8]
    private var index = 0
    private var budget: PropertyListBudget

    static func read(
        _ bytes: [UInt8], limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListNode {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                bytes, maximumBytes: limits.bytes, maximumDepth: limits.depth)
        } catch {
            throw PropertyListError(error)
        }
        var reader = JSONPropertyListReader(bytes: bytes, budget: PropertyListBudget(limits))
        return try reader.node(of: value)
    }

    private init(bytes: [UInt8], budget: PropertyListBudget) {
        self.bytes = bytes
        self.budget = budget
    }

    private mutating func node(of value: JSONValue) throws(PropertyListError) -> PropertyListNode {
        skipSeparators()
        let start = index
        try budget.spend(at: start)
        switch value {
        case .object(let object):
            index += 1
            return PropertyListNode(.dictionary(try members(of: object)), at: start)
        case .array(let values):
            index += 1
            var nodes: [PropertyListNode] = []
            for value in values { nodes.append(try node(of: value)) }
            skipSeparators()
            return PropertyListNode(.array(nodes), at: start)
        case .string(let text):
            skipString()
            return PropertyListNode(.string(text), at: start)
        case .integer(let number):
            skipWord()
            return PropertyListNode(.integer(number), at: start)
        case .number(let number):
            skipWord()
            return PropertyListNode(.real(number), at: start)
        case .bool(let truth):
            skipWord()
            return PropertyListNode(.boolean(truth), at: start)
        case .null:
            throw PropertyListError(
                .unsupportedType, at: start, "null: leave out what has no value")
        }
    }

    private mutating func members(
        of object: JSONObject
    ) throws(PropertyListError) -> [PropertyListNode.Member] {
        var members: [PropertyListNode.Member] = []
        for member in object.members {
            skipSeparators()
            let start = index
            skipString()
            let node = try node(of: member.value)
            members.append(PropertyListNode.Member(name: member.name, offset: start, node: node))
        }
        skipSeparators()
        return members
    }

    // The text is valid JSON, so the separators between values can be skipped.

    /// White space, commas, colons and closing brackets.
    private mutating func skipSeparators() {
        while index < bytes.count, Self.separators.contains(bytes[index]) { index += 1 }
    }

    private static let separators = Set(" \t\r\n,:]}".utf8)

    private mutating func skipString() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }

    private mutating func skipWord() {
        while index < bytes.count, !Self.separators.contains(bytes[index]) { index += 1 }
    }
}

extension PropertyListError {
    fileprivate init(_ error: JSONError) {
        let (code, offset): (Code, Int) =
            switch error {
            case .tooLarge: (.tooLarge, 0)
            case .tooDeep: (.tooDeep, 0)
            case .unexpectedEnd: (.unexpectedEnd, 0)
            case .unexpectedByte(let offset): (.syntax, offset)
            case .trailingBytes(let offset): (.trailingBytes, offset)
            case .invalidUTF8(let offset): (.notUTF8, offset)
            case .loneSurrogate(let offset): (.value, offset)
            case .duplicateName(let offset): (.duplicateKey, offset)
            case .numberOutOfRange(let offset): (.value, offset)
            case .notAnObject: (.syntax, 0)
            }
        self.init(code, at: offset, "not the JSON that is read here: \(error.code)")
    }
}
