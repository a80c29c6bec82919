// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Who is in which group. A group is a name among the claims of people (``PersonClaims/groups``):
/// whatever changes those changes what is read here, in the same step.
package protocol GroupStore: Sendable {
    /// Up to `limit` groups in order of name, after that one, with how many are in each.
    func groups(
        of project: Identifier<Project>, after name: String?, limit: Int
    ) async throws -> [GroupSummary]
    /// The same of those whose name begins with `prefix`.
    func groups(
        of project: Identifier<Project>, startingWith prefix: String, after name: String?,
        limit: Int
    ) async throws -> [GroupSummary]
    /// Up to `limit` people who are in it, after that place.
    func members(
        of group: String, in project: Identifier<Project>, after place: GroupMemberCursor?,
        limit: Int
    ) async throws -> [Person]
    /// The same of those whose user name begins with `prefix`, as far as order goes by it.
    func members(
        of group: String, in project: Identifier<Project>, startingWith prefix: String,
        after place: GroupMemberCursor?, limit: Int
    ) async throws -> [Person]
    /// Of two changes of one person at the same moment none is lost. `event` is written in the same
    /// step exactly when the outcome is `changed`.
    func change(
        _ change: GroupMembershipChange, recording event: AuditEvent
    ) async throws -> GroupMembershipOutcome
}
