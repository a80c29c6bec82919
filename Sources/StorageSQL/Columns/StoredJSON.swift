// SPDX-License-Identifier: Apache-2.0
import Storage
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values that are stored as JSON text, with a cache of the most recently read texts.
///
/// The same text always has the same value, so the cache is never stale. A policy or a client's
/// metadata is then parsed once and not once a request.
final class StoredJSON<Value: Codable & Sendable>: ColumnForm, Sendable {
    private let known = Mutex<[String: Value]>([:])
    /// The maximum number of cached texts; the cache is cleared when it is full.
    private let capacity: Int
    private let parse: @Sendable (Data) throws -> Value

    private init(_ capacity: Int, parse: @escaping @Sendable (Data) throws -> Value) {
        self.capacity = capacity
        self.parse = parse
    }

    convenience init(capacity: Int = 256) {
        self.init(capacity) { try JSONDecoder().decode(Value.self, from: $0) }
    }

    func read(_ row: inout SQLRow) throws -> Value { try decode(row.text()) }
    func sqlValue(_ value: Value) throws -> SQLValue { try encode(value).sqlValue }

    func sqlValue(_ value: Value, over stored: SQLValue) throws -> SQLValue {
        let new = try encode(value)
        guard case .text(let text) = stored else { return .text(new) }
        let known = try encode(decode(text))
        // As a rule this version knows everything.
        guard known != text else { return .text(new) }
        let trees = try [text, known, new].map {
            try JSONDecoder().decode(StoredTree.self, from: Data($0.utf8))
        }
        let merged = StoredTree.merging(trees[0], known: trees[1], into: trees[2])
        return merged == trees[2] ? .text(new) : .text(try Self.text(of: merged))
    }

    func decode(_ text: String) throws -> Value {
        if let value = known.withLock({ $0[text] }) { return value }
        guard let value = try? parse(Data(text.utf8)) else {
            throw StorageError(.corrupt, "stored JSON is not a \(Value.self)")
        }
        known.withLock {
            if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
            $0[text] = value
        }
        return value
    }

    func encode(_ value: Value) throws -> String { try Self.text(of: value) }

    private static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension StoredJSON where Value: StoredSettings {
    /// Absent keys have their defaults.
    convenience init(capacity: Int = 256) {
        self.init(capacity) {
            try JSONDecoder().decode(WithDefaults<Value>.self, from: $0).settings
        }
    }
}
