// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the roles of administrators: at most one for each person and project, and one for a
/// person and all projects.
package protocol AdministratorStore: Sendable {
    /// Returns the roles of a person, oldest first.
    func administration(of person: Identifier<Person>) async throws -> [Administrator]
    /// Returns the roles of all people with a federated identity of that provider.
    func administration(
        linkedTo provider: Identifier<UpstreamProvider>
    ) async throws -> [Administrator]
    /// Returns up to `limit` roles in order of `id`, after `last`, of every project.
    func administrators(
        after last: Identifier<Administrator>?, limit: Int
    ) async throws -> [AdministratorSummary]
    /// Whether the person is an owner and no other owner can sign in.
    func isLastOwner(_ person: Identifier<Person>) async throws -> Bool
    /// Assigns the role and replaces an older one of the same person and scope. Atomic: if two
    /// owners revoke each other's role at the same time, one owner remains.
    func assign(_ administrator: Administrator) async throws -> RoleAssignmentOutcome
    /// Revokes the role of that person and scope.
    func dismiss(
        administrator person: Identifier<Person>, of project: Identifier<Project>?
    ) async throws -> RoleRevocationOutcome
}

package enum RoleAssignmentOutcome: Sendable, Equatable {
    case assigned
    /// The last owner would lose the role.
    case lastOwner
    /// The person or project does not exist.
    case unknown
}

package enum RoleRevocationOutcome: Sendable, Equatable {
    case dismissed
    case lastOwner
    /// The role does not exist.
    case unknown
}
