// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Two operands and the required relation between them.
struct PredicateComparison: Sendable, Equatable {
    enum Relation: Sendable, Equatable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case contains, beginsWith, endsWith, isIn
    }

    enum Operand: Sendable, Equatable {
        case keyPath(JSONKeyPath)
        case value(JSONValue)

        func value(in root: JSONValue) -> JSONValue {
            switch self {
            case .keyPath(let path): path.value(in: root) ?? .null
            case .value(let value): value
            }
        }
    }

    let left: Operand
    let relation: Relation
    let right: Operand
    var ignoresCase = false

    func holds(for root: JSONValue) -> Bool {
        let left = folded(left.value(in: root))
        let right = folded(right.value(in: root))
        return switch relation {
        case .equal: Self.isEqual(left, right)
        case .notEqual: !Self.isEqual(left, right)
        case .less:
            Self.isOrdered(left, right) {
                $0 < $1
            } text: {
                $0 < $1
            }
        case .lessOrEqual:
            Self.isOrdered(left, right) {
                $0 <= $1
            } text: {
                $0 <= $1
            }
        case .greater:
            Self.isOrdered(left, right) {
                $0 > $1
            } text: {
                $0 > $1
            }
        case .greaterOrEqual:
            Self.isOrdered(left, right) {
                $0 >= $1
            } text: {
                $0 >= $1
            }
        case .contains: Self.contains(left, right)
        case .isIn: Self.contains(right, left)
        case .beginsWith: Self.compare(left, right) { $0.starts(with: $1) }
        case .endsWith: Self.compare(left, right) { $0.reversed().starts(with: $1.reversed()) }
        }
    }

    private func folded(_ value: JSONValue) -> JSONValue {
        guard ignoresCase else { return value }
        switch value {
        case .string(let text): return .string(text.lowercased())
        case .array(let elements): return .array(elements.map(folded))
        default: return value
        }
    }

    /// Whether two values are equal. Missing values and `null` are equal; true and false are the
    /// numbers 1 and 0, as in Apple's implementation; values of other kinds are never equal.
    static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(isEqual)
        case (.object, .object): return left == right
        default:
            guard let left = number(left), let right = number(right) else { return false }
            return left == right
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .bool(let value): value ? 1 : 0
        default: nil
        }
    }

    private static func isOrdered(
        _ left: JSONValue, _ right: JSONValue, _ numbers: (Double, Double) -> Bool,
        text: (String, String) -> Bool
    ) -> Bool {
        if let left = number(left), let right = number(right) { return numbers(left, right) }
        guard let left = left.string, let right = right.string else { return false }
        return text(left, right)
    }

    /// Whether a text contains another, or an array a value.
    private static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
        if let elements = whole.array { return elements.contains { isEqual($0, part) } }
        return compare(whole, part) { whole, part in
            guard !part.isEmpty, part.count <= whole.count else { return part.isEmpty }
            return (0...(whole.count - part.count)).contains { start in
                whole[start..<(start + part.count)].elementsEqual(part)
            }
        }
    }

    private static func compare(
        _ left: JSONValue, _ right: JSONValue, _ holds: ([UInt8], [UInt8]) -> Bool
    ) -> Bool {
        guard let left = left.string, let right = right.string else { return false }
        return holds(Array(left.utf8), Array(right.utf8))
    }
}
