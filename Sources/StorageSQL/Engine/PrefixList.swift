// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A list of a project's records by the prefix of a column (``PrefixRange``). Each statement has
/// one lower bound: with two, SQLite looks up the first and scans to the second. They have no limit
/// (``PageLimit``).
struct PrefixList: Sendable {
    fileprivate let starting: String
    fileprivate let goingOn: String
    /// The statement for further records with the last text, if several may have the same.
    fileprivate let same: String

    /// - Parameters:
    ///   - select: Up to `WHERE project_id = $1`.
    ///   - column: Unique texts; otherwise `tie` orders records with the same text.
    init(_ select: String, by column: String, tie: String? = nil) {
        let order = [column, tie].compactMap(\.self).joined(separator: ", ")
        func statement(_ bound: String) -> String {
            "\(select) AND \(column) \(bound) $2 AND \(column) < $3 ORDER BY \(order)"
        }
        starting = statement(">=")
        goingOn = statement(">")
        same =
            tie.map { "\(select) AND \(column) = $2 AND \($0) > $3 ORDER BY \($0)" } ?? ""
    }
}

extension SQLCapability {
    /// Returns the records with that prefix, after the last one.
    func all<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ list: PrefixList,
        of project: Identifier<Project>, startingWith prefix: String, after last: String?,
        limit: Int
    ) async throws -> [Record] {
        let range = PrefixRange(prefix, after: last)
        return try await page(
            make, range.goesOn ? list.goingOn : list.starting, project, range.begin, range.end,
            limit: limit)
    }

    /// Returns the same if several records may have the same text: after the one with that text and
    /// identifier.
    func all<Record: Sendable, ID>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ list: PrefixList,
        of project: Identifier<Project>, startingWith prefix: String,
        after last: (text: String, id: Identifier<ID>)?, limit: Int
    ) async throws -> [Record] {
        let range = PrefixRange(prefix, after: last?.text)
        guard range.goesOn, let last else {
            return try await page(
                make, list.starting, project, range.begin, range.end, limit: limit)
        }
        // SQLite cannot look up a pair with a computed element: two statements, in one read.
        let dialect = dialect
        return try await engine.read { connection in
            func rows(_ statement: String, _ arguments: [SQLValue], _ limit: Int) throws -> [SQLRow]
            {
                try PageLimit(dialect: dialect, limit: limit).rows(
                    statement, arguments, connection)
            }
            let begin = [project.sqlValue, last.text.sqlValue]
            let first = try rows(list.same, begin + [last.id.sqlValue], limit)
            guard first.count < limit else { return first }
            return try first
                + rows(list.goingOn, begin + [range.end.sqlValue], limit - first.count)
        }.records(make)
    }
}
