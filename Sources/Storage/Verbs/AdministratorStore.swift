// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where the roles of administrators are kept: at most one each for a person and a project, and
/// one for a person and all projects.
package protocol AdministratorStore: Sendable {
    /// The roles of a person, oldest first; none for nearly everybody.
    func administration(of person: Identifier<Person>) async throws -> [Administrator]
    /// The roles of all whom that provider may sign in.
    func administration(
        linkedTo provider: Identifier<UpstreamProvider>
    ) async throws -> [Administrator]
    /// Up to `limit` in order of `id`, after `last`, of every project.
    func administrators(
        after last: Identifier<Administrator>?, limit: Int
    ) async throws -> [AdministratorSummary]
    /// Whether the person is an owner, and no other one can sign in.
    func isLastOwner(_ person: Identifier<Person>) async throws -> Bool
    /// Gives the role, in the place of an older one of the same person and scope. Atomic: two
    /// owners who take the role from one another at the same time leave one.
    func assign(_ administrator: Administrator) async throws -> RoleAssignmentOutcome
    /// Takes the role of that person and scope.
    func dismiss(
        administrator person: Identifier<Person>, of project: Identifier<Project>?
    ) async throws -> RoleRevocationOutcome
}

package enum RoleAssignmentOutcome: Sendable, Equatable {
    case assigned
    /// The last owner would have become something else.
    case lastOwner
    /// No such person, or no such project.
    case unknown
}

package enum RoleRevocationOutcome: Sendable, Equatable {
    case dismissed
    case lastOwner
    /// There was no such role.
    case unknown
}
