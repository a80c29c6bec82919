// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A strict parser of JSON (RFC 8259): one value without trailing data, within the given limits.
package struct JSONParser: ~Copyable {
    private let bytes: [UInt8]
    private var index = 0
    private var depth: Int
    private let wideIntegers: Bool

    private init(_ bytes: [UInt8], depth: Int, wideIntegers: Bool) {
        self.bytes = bytes
        self.depth = depth
        self.wideIntegers = wideIntegers
    }

    /// Returns the value that `bytes` encode.
    ///
    /// - Parameters:
    ///   - maximumBytes: Longer input is refused without being read.
    ///   - maximumDepth: The maximum nesting depth of containers.
    ///   - wideIntegers: Whether an integer of up to 20 digits that does not fit into `Int64`
    ///     becomes a rounded ``JSONValue/number(_:)`` instead of an error.
    package static func parse(
        _ bytes: [UInt8], maximumBytes: Int, maximumDepth: Int = 32, wideIntegers: Bool = false
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= maximumBytes else { throw .tooLarge }
        var parser = JSONParser(bytes, depth: maximumDepth, wideIntegers: wideIntegers)
        parser.skipWhitespace()
        let value = try parser.value()
        parser.skipWhitespace()
        guard parser.index == bytes.count else { throw .trailingBytes(offset: parser.index) }
        return value
    }

    /// As ``parse(_:maximumBytes:maximumDepth:wideIntegers:)``, for input that must be an object.
    package static func parseObject(
        _ bytes: [UInt8], maximumBytes: Int, maximumDepth: Int = 32, wideIntegers: Bool = false
    ) throws(JSONError) -> JSONObject {
        let value = try parse(
            bytes, maximumBytes: maximumBytes, maximumDepth: maximumDepth,
            wideIntegers: wideIntegers)
        guard case .object(let object) = value else { throw .notAnObject }
        return object
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func literal(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard bytes.count - index >= length else { throw .unexpectedEnd }
        let matches = word.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + length)]) }
        guard matches else { throw .unexpectedByte(offset: index) }
        index += length
        return value
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try enter()
        var members: [JSONObject.Member] = []
        var names = NamesSeen()
        if try !closes(with: UInt8(ascii: "}")) {
            repeat {
                skipWhitespace()
                let start = index
                guard try peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: index) }
                let name = try string()
                guard names.insert(name, after: members) else {
                    throw .duplicateName(offset: start)
                }
                skipWhitespace()
                guard try peek() == UInt8(ascii: ":") else { throw .unexpectedByte(offset: index) }
                index += 1
                skipWhitespace()
                members.append(JSONObject.Member(name: name, value: try value()))
            } while try continues(until: UInt8(ascii: "}"))
        }
        depth += 1
        return JSONObject(distinct: members)
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        if try !closes(with: UInt8(ascii: "]")) {
            repeat {
                skipWhitespace()
                elements.append(try value())
            } while try continues(until: UInt8(ascii: "]"))
        }
        depth += 1
        return elements
    }

    /// Steps over the opening bracket.
    private mutating func enter() throws(JSONError) {
        guard depth > 0 else { throw .tooDeep }
        depth -= 1
        index += 1
    }

    private mutating func closes(with bracket: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        guard try peek() == bracket else { return false }
        index += 1
        return true
    }

    /// Steps over a comma (`true`) or the closing bracket (`false`).
    private mutating func continues(until bracket: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        let byte = try peek()
        guard byte == UInt8(ascii: ",") || byte == bracket else {
            throw .unexpectedByte(offset: index)
        }
        index += 1
        return byte != bracket
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        let start = index + 1
        var end = start
        var union: UInt8 = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                index = end + 1
                // ASCII, as almost always, needs no validation.
                let letters = bytes[start..<end]
                return union < 0x80
                    ? String(decoding: letters, as: UTF8.self) : try text(letters, from: start)
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start, to: end) }
            guard byte >= 0x20 else { throw .unexpectedByte(offset: end) }
            union |= byte
            end += 1
        }
        throw .unexpectedEnd
    }

    /// Parses the rest of a string with its first escape at `escape`.
    private mutating func escapedString(
        from start: Int, to escape: Int
    ) throws(JSONError) -> String {
        var letters = Array(bytes[start..<escape])
        index = escape
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return try text(letters[...], from: start)
            case UInt8(ascii: "\\"):
                index += 1
                try unescape(to: &letters)
            default:
                guard byte >= 0x20 else { throw .unexpectedByte(offset: index) }
                letters.append(byte)
                index += 1
            }
        }
        throw .unexpectedEnd
    }

    private mutating func unescape(to letters: inout [UInt8]) throws(JSONError) {
        let byte = try peek()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letters.append(byte)
        case UInt8(ascii: "b"): letters.append(0x08)
        case UInt8(ascii: "f"): letters.append(0x0C)
        case UInt8(ascii: "n"): letters.append(0x0A)
        case UInt8(ascii: "r"): letters.append(0x0D)
        case UInt8(ascii: "t"): letters.append(0x09)
        case UInt8(ascii: "u"): letters.append(contentsOf: Array(String(try scalar()).utf8))
        default: throw .unexpectedByte(offset: index - 1)
        }
    }

    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = index - 2
        let first = try hexQuad()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes.count - index >= 2, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw .loneSurrogate(offset: start) }
        index += 2
        let second = try hexQuad()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .loneSurrogate(offset: start) }
        return scalar
    }

    private mutating func hexQuad() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(try peek()) else {
                throw .unexpectedByte(offset: index)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func text(_ slice: ArraySlice<UInt8>, from offset: Int) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw .invalidUTF8(offset: offset)
        }
        return text
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let negative = try peek() == UInt8(ascii: "-")
        if negative { index += 1 }
        let firstDigit = index
        try digits()
        guard bytes[firstDigit] != UInt8(ascii: "0") || index == firstDigit + 1 else {
            throw .unexpectedByte(offset: firstDigit + 1)
        }
        guard try fractionOrExponent() || (negative && bytes[firstDigit] == UInt8(ascii: "0"))
        else { return try wholeNumber(from: firstDigit, negative: negative, start: start) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw .numberOutOfRange(offset: start)
        }
        return .number(value)
    }

    private mutating func digits() throws(JSONError) {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= (try peek()) else {
            throw .unexpectedByte(offset: index)
        }
        while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
            index += 1
        }
    }

    /// Steps over what makes a number more than an integer; whether there was any.
    private mutating func fractionOrExponent() throws(JSONError) -> Bool {
        let start = index
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return index > start
    }

    private func wholeNumber(
        from firstDigit: Int, negative: Bool, start: Int
    ) throws(JSONError) -> JSONValue {
        do {
            return .integer(try integer(from: firstDigit, negative: negative, start: start))
        } catch {
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            guard wideIntegers, index - firstDigit <= 20, let value = Double(text) else {
                throw error
            }
            return .number(value)
        }
    }

    private func integer(
        from firstDigit: Int, negative: Bool, start: Int
    ) throws(JSONError) -> Int64 {
        var value: Int64 = 0
        for byte in bytes[firstDigit..<index] {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) =
                negative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !overflow, !carried else { throw .numberOutOfRange(offset: start) }
            value = sum
        }
        return value
    }

    // MARK: Bytes

    private func peek() throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw .unexpectedEnd }
        return bytes[index]
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}

/// The member names of one object so far: an array for few names and a set for many, so that the
/// cost per member is constant.
private struct NamesSeen {
    private var set: Set<String> = []

    /// `false` when the name has been seen.
    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        if members.count < 16 { return !members.contains { $0.name == name } }
        if set.isEmpty { set = Set(members.map(\.name)) }
        return set.insert(name).inserted
    }
}
