// SPDX-License-Identifier: Apache-2.0

/// The update of a record: every column that can change.
struct RecordUpdate<Record: StoredRecord>: Sendable {
    private let statement: String
    /// The positions of the parameters in ``StoredRecord/values``.
    private let positions: [Int]

    /// An update of the row with the key of the record.
    ///
    /// - Parameters:
    ///   - key: The columns of the condition.
    ///   - unchanged: The columns that are written at the insertion, or by other statements.
    ///   - computed: Columns that are not columns of the record.
    init(
        _ table: String, key: String, except unchanged: String = "", also computed: String = ""
    ) {
        let key = Columns(key)
        self.init(
            table, key: key, computed: Columns(computed),
            written: Record.columns.without(Columns(joining: key, Columns(unchanged)))
        ) { parameters in
            Self.assignments(of: key, parameters, separator: " AND ")
        }
    }

    /// An update of the columns `written` of another row.
    ///
    /// - Parameter condition: Returns the condition. Its parameters follow those of the columns.
    init(_ table: String, writing written: Columns, where condition: (Columns) -> String) {
        self.init(
            table, key: Columns([]), computed: Columns([]), written: written, where: condition)
    }

    private init(
        _ table: String, key: Columns, computed: Columns, written: Columns,
        where condition: (Columns) -> String
    ) {
        let parameters = Columns(joining: key, written, computed)
        let assignments = Self.assignments(
            of: Columns(joining: written, computed), parameters, separator: ", ")
        statement = "UPDATE \(table) SET \(assignments) WHERE \(condition(parameters))"
        positions = (key.names + written.names).compactMap(Record.columns.names.firstIndex(of:))
    }

    private static func assignments(
        of columns: Columns, _ parameters: Columns, separator: String
    ) -> String {
        columns.names.map { "\($0) = \(parameters[$0])" }.joined(separator: separator)
    }

    /// Returns the number of updated rows.
    @discardableResult
    func run(
        _ record: Record, and others: [SQLValue] = [], on connection: any SQLConnection
    ) throws -> Int {
        let values = try record.values
        var arguments: [SQLValue] = []
        arguments.reserveCapacity(positions.count + others.count)
        for position in positions { arguments.append(values[position]) }
        arguments.append(contentsOf: others)
        return try connection.change(statement, arguments: arguments)
    }
}
