// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// One row of a result, read from left to right.
package struct SQLRow: Sendable {
    package let values: [SQLValue]
    private var position = 0

    package init(_ values: [SQLValue]) { self.values = values }

    package mutating func value() throws -> SQLValue {
        guard position < values.count else { throw StorageError(.corrupt, "row is too short") }
        defer { position += 1 }
        return values[position]
    }

    /// Whether the next value is null. Then it is read.
    mutating func isNull() throws -> Bool {
        guard position < values.count else { throw StorageError(.corrupt, "row is too short") }
        guard case .null = values[position] else { return false }
        position += 1
        return true
    }

    package mutating func integer() throws -> Int64 {
        guard let value = try optionalInteger() else { throw mismatch("an integer") }
        return value
    }

    package mutating func optionalInteger() throws -> Int64? {
        switch try value() {
        case .integer(let value): value
        case .null: nil
        default: throw mismatch("an integer")
        }
    }

    package mutating func text() throws -> String {
        guard let value = try optionalText() else { throw mismatch("text") }
        return value
    }

    package mutating func optionalText() throws -> String? {
        switch try value() {
        case .text(let value): value
        case .null: nil
        default: throw mismatch("text")
        }
    }

    package mutating func bytes() throws -> [UInt8] {
        guard let value = try optionalBytes() else { throw mismatch("bytes") }
        return value
    }

    package mutating func optionalBytes() throws -> [UInt8]? {
        switch try value() {
        case .bytes(let value): value
        case .null: nil
        default: throw mismatch("bytes")
        }
    }

    package mutating func identifier<R>(_ kind: R.Type = R.self) throws -> Identifier<R> {
        guard let value = try Identifier<R>(bytes: bytes()) else { throw mismatch("16 bytes") }
        return value
    }

    package mutating func optionalIdentifier<R>(
        _ kind: R.Type = R.self
    ) throws -> Identifier<R>? {
        guard let stored = try optionalBytes() else { return nil }
        guard let value = Identifier<R>(bytes: stored) else { throw mismatch("16 bytes") }
        return value
    }

    package mutating func time() throws -> Timestamp { Timestamp(milliseconds: try integer()) }

    package mutating func optionalTime() throws -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    package mutating func flag() throws -> Bool { try integer() != 0 }

    /// Reads a value of an enumeration.
    package mutating func word<W: RawRepresentable<String>>(_ kind: W.Type = W.self) throws -> W {
        guard let word = W(rawValue: try text()) else { throw mismatch("one of \(W.self)") }
        return word
    }

    private func mismatch(_ expected: String) -> StorageError {
        StorageError(.corrupt, "column \(position) is not \(expected)")
    }
}
