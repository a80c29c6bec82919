// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Reads a predicate by recursive descent: `OR` binds weakest, then `AND`, then `NOT`.
struct PredicateParser {
    private var tokens: ArraySlice<PlacedToken>
    private var depth = 0

    static func parse(_ text: String) throws(ResponsePredicateError) -> ResponsePredicate.Node {
        var parser = PredicateParser(tokens: try PredicateLexer.tokens(of: text)[...])
        let node = try parser.disjunction()
        if let rest = parser.tokens.first { throw .unexpected(offset: rest.offset) }
        return node
    }

    private init(tokens: ArraySlice<PlacedToken>) { self.tokens = tokens }

    private mutating func consume(_ token: PredicateToken) -> Bool {
        guard tokens.first?.token == token else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func next() throws(ResponsePredicateError) -> PlacedToken {
        guard let token = tokens.popFirst() else { throw .unexpectedEnd }
        return token
    }

    private mutating func disjunction() throws(ResponsePredicateError) -> ResponsePredicate.Node {
        var nodes = [try conjunction()]
        while consume(.or) { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func conjunction() throws(ResponsePredicateError) -> ResponsePredicate.Node {
        var nodes = [try negation()]
        while consume(.and) { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func negation() throws(ResponsePredicateError) -> ResponsePredicate.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= ResponsePredicate.maximumDepth else { throw .tooDeep }
        if consume(.not) { return .not(try negation()) }
        if consume(.open) {
            let node = try disjunction()
            let end = try next()
            guard end.token == .close else { throw .unexpected(offset: end.offset) }
            return node
        }
        if case .constant(let value) = tokens.first?.token {
            tokens.removeFirst()
            return .constant(value)
        }
        return .comparison(try comparison())
    }

    private mutating func comparison() throws(ResponsePredicateError) -> PredicateComparison {
        let left = try operand()
        let sign = try next()
        guard case .comparison(let relation) = sign.token else {
            throw .unexpected(offset: sign.offset)
        }
        let ignoresCase = consume(.caseInsensitive)
        return PredicateComparison(
            left: left, relation: relation, right: try operand(), ignoresCase: ignoresCase)
    }

    private mutating func operand() throws(ResponsePredicateError) -> PredicateComparison.Operand {
        let first = try next()
        switch first.token {
        case .keyPath(let path): return .keyPath(path)
        case .value(let value): return .value(value)
        case .openList: return .value(.array(try list()))
        default: throw .unexpected(offset: first.offset)
        }
    }

    private mutating func list() throws(ResponsePredicateError) -> [JSONValue] {
        var values: [JSONValue] = []
        if consume(.closeList) { return values }
        repeat {
            let element = try next()
            guard case .value(let value) = element.token else {
                throw .unexpected(offset: element.offset)
            }
            values.append(value)
        } while consume(.comma)
        let end = try next()
        guard end.token == .closeList else { throw .unexpected(offset: end.offset) }
        return values
    }
}
