// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A predicate over a JSON body, in the part of `NSPredicate`'s language that configurations use:
///
///     errorCode = 'C0000006' AND (suberror = 'invalid_password' OR details.retry != TRUE)
///
/// Key paths; `=` `==` `!=` `<>` `<` `<=` `>` `>=`; `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `IN`, each
/// also with `[c]`; `AND`, `OR`, `NOT` and `&&`, `||`, `!`; parentheses; strings, numbers, lists in
/// braces, `TRUE`, `FALSE`, `NULL`. A value that is missing equals `NULL`.
package struct ResponsePredicate: Sendable, Equatable, CustomStringConvertible {
    package static let maximumBytes = 4096
    /// The maximum nesting depth of parentheses and negations.
    package static let maximumDepth = 32

    indirect enum Node: Sendable, Equatable {
        case constant(Bool)
        case comparison(PredicateComparison)
        case not(Node)
        case all([Node])
        case any([Node])

        func holds(for root: JSONValue) -> Bool {
            switch self {
            case .constant(let value): value
            case .comparison(let comparison): comparison.holds(for: root)
            case .not(let node): !node.holds(for: root)
            case .all(let nodes): nodes.allSatisfy { $0.holds(for: root) }
            case .any(let nodes): nodes.contains { $0.holds(for: root) }
            }
        }
    }

    /// As written.
    package let text: String
    private let node: Node

    package init(_ text: String) throws(ResponsePredicateError) {
        self.text = text
        node = try PredicateParser.parse(text)
    }

    package var description: String { text }

    /// Whether the predicate is true for that body.
    package func holds(for body: JSONValue) -> Bool { node.holds(for: body) }
}
