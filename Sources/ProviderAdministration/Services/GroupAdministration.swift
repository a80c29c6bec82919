// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Storage

/// The groups of a project and their members. A group exists as long as it has a member.
package struct GroupAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// - Parameter text: the beginning of a name; an empty text finds all groups.
    package func page(
        _ text: String, after last: String?, limit: Int
    ) async throws -> [GroupSummary] {
        text.isEmpty
            ? try await store.groups.groups(of: scope.project.id, after: last, limit: limit)
            : try await store.groups.groups(
                of: scope.project.id, startingWith: text, after: last, limit: limit)
    }

    /// - Parameter text: the beginning of a username in canonical form; an empty text finds all
    ///   members.
    package func members(
        of group: String, _ text: String, after last: GroupMemberCursor?, limit: Int
    ) async throws -> [Person] {
        text.isEmpty
            ? try await store.groups.members(
                of: group, in: scope.project.id, after: last, limit: limit)
            : try await store.groups.members(
                of: group, in: scope.project.id, startingWith: text, after: last, limit: limit)
    }

    /// Adds a person to the group, or removes them. It is idempotent.
    package func change(
        _ group: String, joins: Bool, person name: String
    ) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        let change = GroupMembershipChange(
            group: group, person: person.id, project: person.project, joins: joins, at: scope.now)
        let draft = scope.draft(
            joins ? "admin.group.join" : "admin.group.leave", person: person.id,
            ["group": .string(group)])
        let outcome = try await scope.recorded(draft, if: { $0 == .changed }) {
            try await $0.groups.change(change, recording: $1)
        }
        switch outcome {
        case .unknown: return .failure(.unknown("person"))
        case .full: return .failure(Self.full)
        case .unchanged, .changed: return .success(())
        }
    }

    private static let full = AdministrativeRefusal.conflict(
        "too_many_groups",
        "The person is in \(GroupMembershipChange.maximumGroups) groups, which is the maximum.")
}
