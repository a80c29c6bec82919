// SPDX-License-Identifier: Apache-2.0

/// The columns of a record, in the order of reading and writing.
package struct Columns: Sendable {
    package let names: [String]

    package init(_ names: String) {
        self.init(names.split(separator: " ").map(String.init))
    }

    init(_ names: [String]) { self.names = names }

    package init(joining all: Columns...) { names = all.flatMap(\.names) }

    func without(_ others: Columns) -> Columns {
        Columns(names.filter { !others.names.contains($0) })
    }

    /// `a, b, c`
    package var list: String { names.joined(separator: ", ") }

    /// `t.a, t.b, t.c`
    package func of(_ table: String) -> String {
        names.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// The parameter of a column: `$3`.
    subscript(name: String) -> String {
        "$\((names.firstIndex(of: name) ?? names.count) + 1)"
    }

    /// The parameter of the `count`th value after those of the columns.
    func after(_ count: Int) -> String { "$\(names.count + count)" }

    /// `$1, $2, $3`
    package var parameters: String {
        (1...names.count).map { "$\($0)" }.joined(separator: ", ")
    }

    /// `INSERT INTO t (a, b) VALUES ($1, $2)`
    package func insert(into table: String) -> String {
        "INSERT INTO \(table) (\(list)) VALUES (\(parameters))"
    }

    /// An insert that updates the row with the same key.
    ///
    /// - Parameters:
    ///   - key: The columns of the key.
    ///   - unchanged: The other columns that are not updated.
    func upsert(into table: String, key: String, except unchanged: String = "") -> String {
        let key = Columns(key)
        let updates = without(Columns(joining: key, Columns(unchanged))).names
            .map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(insert(into: table)) ON CONFLICT (\(key.list)) DO UPDATE SET \(updates)"
    }
}
