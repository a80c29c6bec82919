// SPDX-License-Identifier: Apache-2.0
import Storage

/// A record that is a row of one table. Its columns are listed once: reading, writing and the
/// names in statements are three visitors of that list.
protocol StoredRecord: Sendable {
    /// The names, in the order of ``columns(_:)``.
    static var columns: Columns { get }
    /// A value that a row is read into: every column replaces it.
    static var blank: Self { get }

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError)
}

extension StoredRecord {
    init(_ row: inout SQLRow) throws {
        self = Self.blank
        try columns(&row)
    }

    /// The values of ``columns``.
    var values: [SQLValue] { get throws { try values(and: []) } }

    /// The values of ``columns`` and the parameters after them, in one allocation.
    func values(and others: [SQLValue]) throws -> [SQLValue] {
        var copy = self
        var writer = ColumnWriter(capacity: Self.columns.names.count + others.count)
        try copy.columns(&writer)
        writer.values.append(contentsOf: others)
        return writer.values
    }
}

/// A function over the columns of a record. It is generic, and not a closure for each column: the
/// compiler makes one function for each record and visitor.
protocol ColumnVisitor {
    associatedtype VisitError: Error

    mutating func callAsFunction<V: ColumnValue>(
        _ name: StaticString, _ value: inout V
    ) throws(VisitError)

    /// A column whose form is not that of its Swift type.
    mutating func callAsFunction<F: ColumnForm>(
        _ name: StaticString, _ value: inout F.Value, as form: F
    ) throws(VisitError)

    /// A column for the conditions of statements, which other columns contain. It is written and
    /// not read.
    mutating func derived<V: ColumnValue>(
        _ name: StaticString, _ value: @autoclosure () -> V
    ) throws(VisitError)
}

/// Reads the columns of a row into the record.
extension SQLRow: ColumnVisitor {
    mutating func callAsFunction<V: ColumnValue>(
        _ name: StaticString, _ value: inout V
    ) throws { value = try V.read(&self) }

    mutating func callAsFunction<F: ColumnForm>(
        _ name: StaticString, _ value: inout F.Value, as form: F
    ) throws { value = try form.read(&self) }

    mutating func derived<V: ColumnValue>(
        _ name: StaticString, _ value: @autoclosure () -> V
    ) throws { _ = try self.value() }
}

/// Collects the values of a record.
private struct ColumnWriter: ColumnVisitor {
    var values: [SQLValue] = []

    init(capacity: Int) { values.reserveCapacity(capacity) }

    mutating func callAsFunction<V: ColumnValue>(
        _ name: StaticString, _ value: inout V
    ) throws { values.append(value.sqlValue) }

    mutating func callAsFunction<F: ColumnForm>(
        _ name: StaticString, _ value: inout F.Value, as form: F
    ) throws { values.append(try form.sqlValue(value)) }

    mutating func derived<V: ColumnValue>(
        _ name: StaticString, _ value: @autoclosure () -> V
    ) throws { values.append(value().sqlValue) }
}

/// Collects the names of the columns.
private struct ColumnLister: ColumnVisitor {
    private(set) var names: [String] = []

    mutating func callAsFunction<V: ColumnValue>(
        _ name: StaticString, _ value: inout V
    ) throws(Never) { names.append("\(name)") }

    mutating func callAsFunction<F: ColumnForm>(
        _ name: StaticString, _ value: inout F.Value, as form: F
    ) throws(Never) { names.append("\(name)") }

    mutating func derived<V: ColumnValue>(
        _ name: StaticString, _ value: @autoclosure () -> V
    ) throws(Never) { names.append("\(name)") }
}

extension Columns {
    init<Record: StoredRecord>(of kind: Record.Type) {
        var (record, lister) = (Record.blank, ColumnLister())
        record.columns(&lister)
        self.init(lister.names)
    }
}
