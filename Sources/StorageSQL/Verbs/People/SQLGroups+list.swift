// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let groupsStarting = groupList(">=")
private let groupsAfter = groupList(">")

/// Looks up each name after the one before, then counts members up to the bound. So no index entry
/// of a group is read but those that are counted.
///
/// The order within the count is that of the index. Without it, PostgreSQL may prefer a scan of the
/// table when it estimates that a group has many members.
///
/// - Parameter bound: how the first name compares with `$2`.
private func groupList(_ bound: String) -> String {
    """
    WITH RECURSIVE named (name, place) AS (
    SELECT min(group_name), 1 FROM group_members
    WHERE project_id = $1 AND group_name \(bound) $2 AND group_name < $3
    UNION ALL
    SELECT (SELECT min(g.group_name) FROM group_members g
    WHERE g.project_id = $1 AND g.group_name > n.name AND g.group_name < $3), n.place + 1
    FROM named n WHERE n.name IS NOT NULL AND n.place < $4)
    SELECT n.name, (SELECT count(*) FROM (SELECT 1 FROM group_members g
    WHERE g.project_id = $1 AND g.group_name = n.name
    ORDER BY g.sort_name, g.person_id LIMIT $5) AS counted)
    FROM named n WHERE n.name IS NOT NULL ORDER BY n.place
    """
}

extension SQLGroups {
    func groups(
        of project: Identifier<Project>, startingWith prefix: String, after name: String?,
        limit: Int, countingTo bound: Int
    ) async throws -> [GroupSummary] {
        let range = PrefixRange(prefix, after: name)
        return try await all(
            { try GroupSummary(&$0, countedTo: bound) },
            range.goesOn ? groupsAfter : groupsStarting, project, range.begin,
            prefix.isEmpty ? Self.afterAllNames : range.end, limit, bound + 1)
    }

    /// Longer than every listed name, of the greatest character.
    private static let afterAllNames = String(
        repeating: "\u{10FFFF}", count: GroupMembershipChange.maximumNameLength + 1)
}

extension GroupSummary {
    fileprivate init(_ row: inout SQLRow, countedTo bound: Int) throws {
        let name = try row.text()
        let counted = Int(try row.integer())
        self.init(name: name, members: min(counted, bound), hasMore: counted > bound)
    }
}
