// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A list of what a project has, by a column whose texts are found by how they begin
/// (``PrefixRange``). One lower bound for each statement: of two, SQLite looks up the first and walks
/// to the second.
struct PrefixList: Sendable {
    fileprivate let starting: String
    fileprivate let goingOn: String
    /// The others with the text that was seen last, where several may have one.
    fileprivate let same: String

    /// - Parameters:
    ///   - select: as far as `WHERE project_id = $1`.
    ///   - column: each text once; with `tie`, in order of that among those with one text.
    init(_ select: String, by column: String, grouping: String = "", tie: String? = nil) {
        let order = [column, tie].compactMap(\.self).joined(separator: ", ")
        func statement(_ bound: String) -> String {
            "\(select) AND \(column) \(bound) $2 AND \(column) < $3 \(grouping) "
                + "ORDER BY \(order) LIMIT $4"
        }
        starting = statement(">=")
        goingOn = statement(">")
        same =
            tie.map { "\(select) AND \(column) = $2 AND \($0) > $3 ORDER BY \($0) LIMIT $4" } ?? ""
    }
}

extension SQLStore {
    /// Those of the list that begin so, after the one that was seen last.
    func all<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ list: PrefixList,
        of project: Identifier<Project>, startingWith prefix: String, after last: String?,
        limit: Int
    ) async throws -> [Record] {
        let range = PrefixRange(prefix, after: last)
        return try await all(
            make, range.goesOn ? list.goingOn : list.starting, project, range.begin, range.end,
            limit)
    }

    /// The same where several may have one text: after the one of that text and that identifier.
    func all<Record: Sendable, ID>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ list: PrefixList,
        of project: Identifier<Project>, startingWith prefix: String,
        after last: (text: String, id: Identifier<ID>)?, limit: Int
    ) async throws -> [Record] {
        let range = PrefixRange(prefix, after: last?.text)
        guard range.goesOn, let last else {
            return try await all(
                make, list.starting, project, range.begin, range.end, limit)
        }
        // SQLite looks up no pair of which one is computed: two questions, in one read.
        return try await engine.read { connection in
            let first = try connection.run(list.same, project, last.text, last.id, limit)
            guard first.count < limit else { return first }
            return try first
                + connection.run(
                    list.goingOn, project, last.text, range.end, limit - first.count)
        }.records(make)
    }
}
