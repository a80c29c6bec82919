// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE

/// Between JSON and what Apple's methods call `[String: Any]`.
enum JSONDictionary {
    private static let maximumDepth = 16

    /// Returns the JSON object of a dictionary.
    ///
    /// - Throws: ``ASAuthorizationError/Code/failed`` for values without a JSON form.
    static func object(_ dictionary: [String: Any]) throws -> JSONObject {
        try object(dictionary, depth: maximumDepth)
    }

    static func dictionary(_ object: JSONObject) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for member in object.members { dictionary[member.name] = value(member.value) }
        return dictionary
    }

    private static func object(_ dictionary: [String: Any], depth: Int) throws -> JSONObject {
        JSONObject(
            try dictionary.sorted { $0.key < $1.key }
                .map { .init(name: $0.key, value: try json($0.value, depth: depth - 1)) })
    }

    private static func json(_ value: Any, depth: Int) throws -> JSONValue {
        guard depth > 0 else { throw unspeakable("something too deep") }
        // Objects first: an NSNumber can be cast to both Bool and Int.
        if type(of: value) is AnyClass { return try json(ofObject: value) }
        switch value {
        case let value as Bool: return .bool(value)
        case let value as String: return .string(value)
        case let value as any BinaryInteger:
            guard let integer = Int64(exactly: value) else { throw unspeakable("that number") }
            return .integer(integer)
        case let value as Double: return try number(value)
        case let value as Float: return try number(Double(value))
        case let values as [Any]: return .array(try values.map { try json($0, depth: depth - 1) })
        case let value as [String: Any]: return .object(try object(value, depth: depth))
        default: throw unspeakable("a \(type(of: value))")
        }
    }

    private static func json(ofObject value: Any) throws -> JSONValue {
        switch value {
        case is NSNull: return .null
        case let number as NSNumber where String(cString: number.objCType) == "c":
            return .bool(number.boolValue)
        case let number as NSNumber:
            let integer = number.int64Value
            return Double(integer) == number.doubleValue
                ? .integer(integer) : try self.number(number.doubleValue)
        case let text as NSString: return .string(String(describing: text))
        default: throw unspeakable("a \(type(of: value))")
        }
    }

    private static func number(_ value: Double) throws -> JSONValue {
        guard value.isFinite else { throw unspeakable("that number") }
        return .number(value)
    }

    private static func value(_ json: JSONValue) -> Any {
        switch json {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map { value($0) }
        case .object(let object): dictionary(object)
        }
    }

    private static func unspeakable(_ what: String) -> ASAuthorizationError {
        ASAuthorizationError(.failed, "JSON cannot represent \(what).")
    }
}
