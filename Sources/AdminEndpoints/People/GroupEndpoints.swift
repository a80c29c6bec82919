// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/groups`: groups and their members. A group exists as long as it has a
/// member, so that no call creates one.
struct GroupEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call,
            json: {
                [
                    "name": .string($0.name), "members": .integer(Int64($0.members)),
                    "has_more_members": .bool($0.hasMore),
                ]
            },
            { GroupAdministration($0).list(startingWith: call.search) })
    }

    func members(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(PeopleEndpoints.object($0)) },
            { GroupAdministration($0).members(of: call[.group], startingWith: call.search) })
    }

    func add(_ call: AdminRequest) async throws -> AdminResponse {
        try await change(call, joins: true)
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await change(call, joins: false)
    }

    private func change(_ call: AdminRequest, joins: Bool) async throws -> AdminResponse {
        let group = call[.group]
        // A name that is not valid for a new group can still be removed from a person.
        if joins, !GroupMembershipChange.isListed(group) { return Self.noName }
        return try await scope.open(call, unknown: "person") {
            AdminResponse(
                try await GroupAdministration($0).change(
                    group, joins: joins, person: call[.person]))
        }
    }

    private static let noName = AdminResponse.invalid(
        "invalid_group",
        "A group's name is one line of 1 to \(GroupMembershipChange.maximumNameLength) characters.")
}
