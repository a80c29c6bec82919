// SPDX-License-Identifier: Apache-2.0

/// The update of a record: every column that can change, found by the key.
struct RecordUpdate<Record: StoredRecord>: Sendable {
    private let statement: String
    /// The positions of the parameters in ``StoredRecord/values``.
    private let positions: [Int]

    /// - Parameters:
    ///   - key: The columns of the condition.
    ///   - unchanged: The columns that are written at the insertion, or by other statements.
    ///   - computed: Columns that are not columns of the record.
    init(
        _ table: String, key: String, except unchanged: String = "", also computed: String = ""
    ) {
        let (all, key) = (Record.columns, Columns(key))
        let changed = all.without(Columns(joining: key, Columns(unchanged)))
        let written = Columns(joining: changed, Columns(computed))
        let parameters = Columns(joining: key, written)
        func assignments(_ columns: Columns, _ separator: String) -> String {
            columns.names.map { "\($0) = \(parameters[$0])" }.joined(separator: separator)
        }
        statement = """
            UPDATE \(table) SET \(assignments(written, ", ")) WHERE \(assignments(key, " AND "))
            """
        positions = (key.names + changed.names).compactMap(all.names.firstIndex(of:))
    }

    /// - Parameter row: The stored row, with the columns of the record. Its documents keep the
    ///   members that this version does not know.
    func run(
        _ record: Record, over row: SQLRow?, and computed: [SQLValue] = [],
        on connection: any SQLConnection
    ) throws {
        let values = try record.values(over: row)
        _ = try connection.change(
            statement, arguments: positions.map { values[$0] } + computed)
    }
}
