// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One value as both engines store it.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// A Swift value with one representation in the database.
package protocol SQLStorable {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLStorable {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLStorable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLStorable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// 0 or 1.
extension Bool: SQLStorable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLStorable {
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLStorable {
    package var sqlValue: SQLValue { .bytes(self) }
}

/// 16 bytes.
extension Identifier: SQLStorable {
    package var sqlValue: SQLValue { .bytes(bytes) }
}

/// Milliseconds since 1970.
extension Timestamp: SQLStorable {
    package var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Optional: SQLStorable where Wrapped: SQLStorable {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
