// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/groups`: groups and their members. A group exists as long as it has a
/// member, so that no call creates one.
struct GroupEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "groups/\(project.project.id) \(call.search)",
                secrets: scope.provider.secrets,
                read: {
                    try await GroupAdministration(project).page(
                        call.search, after: $0, limit: $1)
                },
                key: \.name,
                json: { ["name": .string($0.name), "members": .integer(Int64($0.members))] })
        }
    }

    func members(_ call: AdminRequest) async throws -> AdminResponse {
        let group = call[.group]
        let search = UserName.canonical(call.search) ?? ""
        return try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "groups/\(project.project.id)/\(group)\u{0}\(search)",
                secrets: scope.provider.secrets,
                read: { last, limit in
                    try await GroupAdministration(project).members(
                        of: group, search, after: last.flatMap { GroupMemberCursor($0) },
                        limit: limit)
                },
                key: { GroupMemberCursor($0).text }, json: { .object(PeopleEndpoints.object($0)) })
        }
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

    private static let noName = AdminResponse.refused(
        .unprocessableContent, code: "invalid_group",
        "A group's name is one line of 1 to \(GroupMembershipChange.maximumNameLength) characters.")
}
