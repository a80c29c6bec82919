// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A word, a mark or a value of a predicate.
enum PredicateToken: Equatable, Sendable {
    case keyPath(JSONKeyPath)
    case value(JSONValue)
    case comparison(PredicateComparison.Relation)
    /// `[c]` behind a relation of text.
    case caseInsensitive
    case and, or, not, open, close, openList, closeList, comma
    case constant(Bool)
}

/// A token with its offset in bytes.
struct PlacedToken {
    let token: PredicateToken
    let offset: Int
}

/// A lexer of predicates. Keywords are case-insensitive, as in Apple's implementation.
struct PredicateLexer {
    private let letters: [UInt8]
    private var index = 0

    private init(_ letters: [UInt8]) { self.letters = letters }

    static func tokens(of text: String) throws(ResponsePredicateError) -> [PlacedToken] {
        guard text.utf8.count <= ResponsePredicate.maximumBytes else { throw .tooLong }
        var lexer = PredicateLexer(Array(text.utf8))
        var tokens: [PlacedToken] = []
        while let start = lexer.skipSpace() {
            tokens.append(PlacedToken(token: try lexer.next(), offset: start))
        }
        return tokens
    }

    private mutating func skipSpace() -> Int? {
        while index < letters.count, [0x20, 0x09, 0x0A, 0x0D].contains(letters[index]) {
            index += 1
        }
        return index < letters.count ? index : nil
    }

    private mutating func next() throws(ResponsePredicateError) -> PredicateToken {
        let letter = letters[index]
        switch letter {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .value(.string(try string(letter)))
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return try number()
        case UInt8(ascii: "["): return try options()
        case _ where Self.isWordLetter(letter): return try word()
        default: return try mark()
        }
    }

    private static let marks: [(text: StaticString, token: PredicateToken)] = [
        ("==", .comparison(.equal)), ("=<", .comparison(.lessOrEqual)),
        ("=>", .comparison(.greaterOrEqual)), ("!=", .comparison(.notEqual)),
        ("<>", .comparison(.notEqual)), ("<=", .comparison(.lessOrEqual)),
        (">=", .comparison(.greaterOrEqual)), ("&&", .and), ("||", .or),
        ("=", .comparison(.equal)), ("<", .comparison(.less)), (">", .comparison(.greater)),
        ("!", .not), ("(", .open), (")", .close), ("{", .openList), ("}", .closeList),
        (",", .comma),
    ]

    private mutating func mark() throws(ResponsePredicateError) -> PredicateToken {
        let found = Self.marks.first { mark in
            mark.text.withUTF8Buffer { letters[index...].starts(with: $0) }
        }
        guard let found else { throw .unexpected(offset: index) }
        index += found.text.utf8CodeUnitCount
        return found.token
    }

    /// Only `[c]`: accents are compared unchanged.
    private mutating func options() throws(ResponsePredicateError) -> PredicateToken {
        guard letters[index...].starts(with: Array("[c]".utf8)) else {
            throw .unsupported("[", offset: index)
        }
        index += 3
        return .caseInsensitive
    }

    private mutating func string(_ quote: UInt8) throws(ResponsePredicateError) -> String {
        let start = index
        var text: [UInt8] = []
        index += 1
        while index < letters.count, letters[index] != quote {
            if letters[index] == UInt8(ascii: "\\") {
                index += 1
                guard index < letters.count, let plain = Self.unescaped(letters[index]) else {
                    throw .unexpected(offset: min(index, letters.count))
                }
                text.append(plain)
            } else {
                text.append(letters[index])
            }
            index += 1
        }
        guard index < letters.count else { throw .unterminatedString(offset: start) }
        index += 1
        return String(decoding: text, as: UTF8.self)
    }

    private static func unescaped(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): letter
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private mutating func number() throws(ResponsePredicateError) -> PredicateToken {
        let start = index
        index += 1
        while index < letters.count,
            Self.isDigit(letters[index]) || letters[index] == UInt8(ascii: ".")
        {
            index += 1
        }
        let text = Array(letters[start..<index])
        guard let value = try? JSONParser.parse(text, maximumBytes: 64) else {
            throw .numberOutOfRange(offset: start)
        }
        return .value(value)
    }

    private static func isDigit(_ letter: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
    }

    private static func isWordLetter(_ letter: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20 || letter == UInt8(ascii: "_")
    }

    private static let words: [String: PredicateToken] = [
        "AND": .and, "OR": .or, "NOT": .not, "IN": .comparison(.isIn),
        "CONTAINS": .comparison(.contains), "BEGINSWITH": .comparison(.beginsWith),
        "ENDSWITH": .comparison(.endsWith), "TRUE": .value(.bool(true)),
        "YES": .value(.bool(true)), "FALSE": .value(.bool(false)), "NO": .value(.bool(false)),
        "NULL": .value(.null), "NIL": .value(.null), "TRUEPREDICATE": .constant(true),
        "FALSEPREDICATE": .constant(false),
    ]

    private static let unsupported: Set<String> = [
        "LIKE", "MATCHES", "BETWEEN", "ANY", "ALL", "SOME", "NONE", "SELF", "FUNCTION", "CAST",
        "SUBQUERY", "FIRST", "LAST", "SIZE",
    ]

    private mutating func word() throws(ResponsePredicateError) -> PredicateToken {
        let start = index
        while index < letters.count,
            Self.isWordLetter(letters[index]) || Self.isDigit(letters[index])
                || letters[index] == UInt8(ascii: ".")
        {
            index += 1
        }
        let text = String(decoding: letters[start..<index], as: UTF8.self)
        if let token = Self.words[text.uppercased()] { return token }
        guard !Self.unsupported.contains(text.uppercased()) else {
            throw .unsupported(text, offset: start)
        }
        // `SELF.name` is `name` of the body.
        let isOwn = text.prefix(5).uppercased() == "SELF."
        guard let path = JSONKeyPath(isOwn ? String(text.dropFirst(5)) : text) else {
            throw .unexpected(offset: start)
        }
        return .keyPath(path)
    }
}
