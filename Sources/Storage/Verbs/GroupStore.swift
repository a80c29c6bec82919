// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of group memberships. A group is a name among the claims of people
/// (``PersonClaims/groups``): a change of the claims changes the memberships in the same
/// transaction.
package protocol GroupStore: Sendable {
    /// Returns up to `limit` groups in order of name, after that one, with their member counts. The
    /// cost depends on `limit` and `bound` and not on the number of members.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of each name; an empty one selects all groups.
    ///   - bound: The largest count (``GroupSummary/members``).
    func groups(
        of project: Identifier<Project>, startingWith prefix: String, after name: String?,
        limit: Int, countingTo bound: Int
    ) async throws -> [GroupSummary]
    /// Returns up to `limit` members, after that position.
    func members(
        of group: String, in project: Identifier<Project>, after place: GroupMemberCursor?,
        limit: Int
    ) async throws -> [Person]
    /// Returns the same for people whose username begins with `prefix`, as far as it determines the
    /// order.
    func members(
        of group: String, in project: Identifier<Project>, startingWith prefix: String,
        after place: GroupMemberCursor?, limit: Int
    ) async throws -> [Person]
    /// Changes the membership. Concurrent changes of one person are both applied. `event` is
    /// written in the same transaction if and only if the outcome is `changed`.
    func change(
        _ change: GroupMembershipChange, recording event: AuditEvent
    ) async throws -> GroupMembershipOutcome
}

extension GroupStore {
    /// Returns all groups, or the ones after that name, with counts for administrators.
    package func groups(
        of project: Identifier<Project>, startingWith prefix: String = "", after name: String?,
        limit: Int
    ) async throws -> [GroupSummary] {
        try await groups(
            of: project, startingWith: prefix, after: name, limit: limit,
            countingTo: GroupSummary.maximumCount)
    }
}
