// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A JSON value that may cross tasks, for talking to drivers and reading answers.
enum JSON: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }

    init(parsing bytes: [UInt8]) throws {
        let options: JSONSerialization.ReadingOptions = .fragmentsAllowed
        self.init(any: try JSONSerialization.jsonObject(with: Data(bytes), options: options))
    }

    private init(any value: Any) {
        switch value {
        case let number as NSNumber where isTruthValue(number): self = .bool(number.boolValue)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let text as String: self = .string(text)
        case let values as [Any]: self = .array(values.map(JSON.init(any:)))
        case let values as [String: Any]: self = .object(values.mapValues(JSON.init(any:)))
        default: self = .null
        }
    }

    private var any: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let value):
            value == value.rounded() && abs(value) < 1e15 ? Int(value) as Any : value as Any
        case .string(let value): value
        case .array(let values): values.map(\.any)
        case .object(let values): values.mapValues(\.any)
        }
    }

    var bytes: [UInt8] {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        return (try? JSONSerialization.data(withJSONObject: any, options: options)).map(Array.init)
            ?? []
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    subscript(key: String) -> JSON {
        get { if case .object(let values) = self { values[key] ?? .null } else { .null } }
        set {
            guard case .object(var values) = self else { return }
            values[key] = newValue
            self = .object(values)
        }
    }

    subscript(index: Int) -> JSON {
        if case .array(let values) = self, values.indices.contains(index) {
            values[index]
        } else {
            .null
        }
    }

    var string: String? { if case .string(let value) = self { value } else { nil } }
    var int: Int? { if case .number(let value) = self { Int(value) } else { nil } }
    var array: [JSON]? { if case .array(let values) = self { values } else { nil } }
    var isNull: Bool { self == .null }
}

/// JSONSerialization gives booleans as NSNumber; only their C type tells them from 0 and 1.
private func isTruthValue(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
        || type(of: number) == type(of: NSNumber(value: true))
            && (number === NSNumber(value: true) || number === NSNumber(value: false))
}
