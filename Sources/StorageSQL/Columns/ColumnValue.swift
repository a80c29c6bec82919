// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// A Swift value that is one column of a row.
package protocol ColumnValue: SQLStorable {
    static func read(_ row: inout SQLRow) throws -> Self
}

extension Int64: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> Int64 { try row.integer() }
}

extension Bool: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> Bool { try row.flag() }
}

extension String: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> String { try row.text() }
}

extension [UInt8]: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> [UInt8] { try row.bytes() }
}

extension Identifier: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> Identifier { try row.identifier() }
}

extension Timestamp: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> Timestamp { try row.time() }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    package static func read(_ row: inout SQLRow) throws -> Wrapped? {
        try row.isNull() ? nil : Wrapped.read(&row)
    }
}

/// An enumeration is stored as its raw value.
extension RawRepresentable<String> where Self: ColumnValue {
    package var sqlValue: SQLValue { .text(rawValue) }
    package static func read(_ row: inout SQLRow) throws -> Self { try row.word() }
}

extension Administrator.Role: ColumnValue {}
extension Approval.State: ColumnValue {}
extension AuditEvent.Outcome: ColumnValue {}
extension Challenge.Purpose: ColumnValue {}
extension Credential.Kind: ColumnValue {}
extension Device.Sharing: ColumnValue {}
extension DeviceAuthorization.State: ColumnValue {}
extension DeviceKey.Use: ColumnValue {}
extension DeviceUser.Method: ColumnValue {}
extension EncryptionKey.State: ColumnValue {}
extension IssuerKey.Kind: ColumnValue {}
extension Project.Environment: ColumnValue {}
extension SigningKey.State: ColumnValue {}
extension UpstreamProvider.Kind: ColumnValue {}

/// The form of a column that is not the form of its Swift type.
protocol ColumnForm<Value> {
    associatedtype Value

    func read(_ row: inout SQLRow) throws -> Value
    func sqlValue(_ value: Value) throws -> SQLValue
    /// The form of a value that replaces a stored one. A document keeps the members that this
    /// version does not know.
    func sqlValue(_ value: Value, over stored: SQLValue) throws -> SQLValue
}

extension ColumnForm {
    func sqlValue(_ value: Value, over stored: SQLValue) throws -> SQLValue { try sqlValue(value) }
}

/// An enumeration in which a later version may have stored a value that this version does not know:
/// it is read as `nil`.
struct KnownWord<Word: RawRepresentable<String>>: ColumnForm {
    func read(_ row: inout SQLRow) throws -> Word? {
        try row.optionalText().flatMap(Word.init(rawValue:))
    }

    func sqlValue(_ value: Word?) -> SQLValue { (value?.rawValue).sqlValue }
}

extension Timestamp {
    /// The start of 1970, for ``StoredRecord/blank``.
    static let zero = Timestamp(milliseconds: 0)
}
