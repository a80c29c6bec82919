// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/groups`: groups and their members. A group exists as long as it has a
/// member, so that no call creates one.
struct GroupEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/groups"
    private static let member = path + "/{group}/members/{person}"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listGroups",
                "Groups with members, in order of name, with the number of members.",
                query: AdminEndpoint.search("name") + AdminEndpoint.paging, answer: "Page",
                run: list),
            AdminEndpoint(
                .get, Self.path + "/{group}/members", "listGroupMembers",
                "Members of the group, in order of username.",
                query: AdminEndpoint.search("user name") + AdminEndpoint.paging, answer: "Page",
                run: members),
            AdminEndpoint(
                .put, Self.member, "addGroupMember",
                "Adds the person to the group. It is idempotent."
            ) { try await change($0, joins: true) },
            AdminEndpoint(
                .delete, Self.member, "removeGroupMember",
                "Removes the person from the group. It is idempotent."
            ) { try await change($0, joins: false) },
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        let (store, search) = (scope.provider.store, call.search)
        return try await scope.project(call) { project in
            try await PageRequest.answer(
                call, list: "groups/\(project.id) \(search)", secrets: scope.provider.secrets,
                read: {
                    search.isEmpty
                        ? try await store.groups.groups(of: project.id, after: $0, limit: $1)
                        : try await store.groups.groups(
                            of: project.id, startingWith: search, after: $0, limit: $1)
                },
                key: \.name,
                json: { ["name": .string($0.name), "members": .integer(Int64($0.members))] })
        }
    }

    private func members(_ call: AdminRequest) async throws -> AdminResponse {
        let group = call[parameter: "group"]
        let store = scope.provider.store
        let search = UserName.canonical(call.search) ?? ""
        return try await scope.project(call) { project in
            try await PageRequest.answer(
                call, list: "groups/\(project.id)/\(group)\u{0}\(search)",
                secrets: scope.provider.secrets,
                read: { last, limit in
                    let place = last.flatMap { GroupMemberCursor($0) }
                    return search.isEmpty
                        ? try await store.groups.members(
                            of: group, in: project.id, after: place, limit: limit)
                        : try await store.groups.members(
                            of: group, in: project.id, startingWith: search, after: place,
                            limit: limit)
                },
                key: { GroupMemberCursor($0).text }, json: { .object(PeopleEndpoints.object($0)) })
        }
    }

    private func change(_ call: AdminRequest, joins: Bool) async throws -> AdminResponse {
        let group = call[parameter: "group"]
        // A name that is not valid for a new group can still be removed from a person.
        if joins, !GroupMembershipChange.isListed(group) { return Self.noName }
        guard let person = try await scope.provider.person(of: call) else {
            return .unknown("person")
        }
        let draft = AuditEventDraft(
            joins ? "admin.group.join" : "admin.group.leave", in: person.project,
            facts: call.facts, person: person.id,
            details: (["group": .string(group)] as JSONValue).text)
        let change = GroupMembershipChange(
            group: group, person: person.id, project: person.project, joins: joins,
            at: call.facts.now)
        let outcome = try await scope.provider.store.groups.change(
            change, recording: scope.provider.audit.prepare(draft))
        switch outcome {
        case .unknown: return .unknown("person")
        case .full: return Self.full
        case .unchanged: return .nothing
        case .changed:
            scope.provider.audit.wasRecorded(draft)
            return .nothing
        }
    }

    private static let noName = AdminResponse.refused(
        .unprocessableContent, code: "invalid_group",
        "A group's name is one line of 1 to \(GroupMembershipChange.maximumNameLength) characters.")
    private static let full = AdminResponse.refused(
        .conflict, code: "too_many_groups",
        "The person is in \(GroupMembershipChange.maximumGroups) groups, which is the maximum.")
}
