// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderSettings
package import Storage

/// The groups of a project and their members. A group exists as long as it has a member.
package struct GroupAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// - Parameter text: the beginning of a name; an empty text finds all groups.
    package func list(startingWith text: String) -> AdministrativeList<GroupSummary> {
        AdministrativeList("groups/\(scope.project.id) \(text)", scope.caller, key: \.name) {
            try await store.groups.groups(
                of: scope.project.id, startingWith: text, after: $0, limit: $1)
        }
    }

    /// - Parameter text: the beginning of a username; an empty text finds all members.
    package func members(
        of group: String, startingWith text: String
    ) -> AdministrativeList<Person> {
        let (project, name) = (scope.project.id, UserName.canonical(text) ?? "")
        return AdministrativeList(
            "groups/\(project)/\(group)\u{0}\(name)", scope.caller,
            key: { GroupMemberCursor($0).text }
        ) { last, limit in
            let place = last.flatMap { GroupMemberCursor($0) }
            return name.isEmpty
                ? try await store.groups.members(
                    of: group, in: project, after: place, limit: limit)
                : try await store.groups.members(
                    of: group, in: project, startingWith: name, after: place, limit: limit)
        }
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
