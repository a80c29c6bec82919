// SPDX-License-Identifier: Apache-2.0

/// A copy of every row of one database into an empty other one.
struct StoreCopy {
    let source: any SQLConnection
    let target: any SQLConnection
    let progress: @Sendable (Double) -> Void

    /// The number of rows in memory at a time.
    private static let pageSize = 500

    func run() throws {
        let total = try StoredTable.all.reduce(0) { try $0 + $1.count(source) }
        var copied = 0
        for table in StoredTable.all {
            try copy(table) { count in
                copied += count
                progress(min(Double(copied) / Double(max(total, 1)), 1))
            }
        }
    }

    private func copy(_ table: StoredTable, _ done: (Int) -> Void) throws {
        let insert = table.columns.insert(into: table.name)
        var last: [SQLValue]?
        while true {
            let page = try table.page(source, after: last, limit: Self.pageSize)
            for row in page { _ = try target.change(insert, arguments: row.values) }
            done(page.count)
            guard page.count == Self.pageSize, let end = page.last else { return }
            last = Array(end.values.prefix(table.key.names.count))
        }
    }
}
