// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/administrators`: who may do what in the console. `{person}` is a user name or a `sub` of the
/// home project.
struct AdministratorEndpoints: Sendable {
    private let provider: Provider
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        self.provider = provider
        self.notices = notices
    }

    private static let path = "/administrators"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listAdministrators", "Roles in the console, oldest first.",
                query: AdminEndpoint.paging, answer: "Page", run: list),
            AdminEndpoint(
                .put, Self.path + "/{person}", "grantAdministrator",
                "Assigns the person a role in a project or in all. It replaces an earlier one.",
                body: "Administrator", answer: "Administrator", run: grant),
            AdminEndpoint(
                .delete, Self.path + "/{person}", "revokeAdministrator",
                "Revokes the person's role in a project or in all.",
                query: [.init(name: "project", summary: "In this project only.")], run: revoke),
            AdminEndpoint(
                .get, Self.path + "/{person}/belongings", "listBelongings",
                "The resources that an administrator created; they are kept if the person is removed.",
                query: AdminEndpoint.optionalPaging, answer: "Belongings", run: belongings),
            AdminEndpoint(
                .get, "/awaited-approvals", "listAwaitedApprovals",
                "What came to accounts of administrators after a recovery, or with less than they had, "
                    + "and opens no console before it is approved.",
                query: AdminEndpoint.optionalPaging, answer: "AwaitedApprovals", run: awaited),
            AdminEndpoint(
                .post, "/awaited-approvals/{person}", "giveApproval",
                "Approves what waits of that person, when it is exactly what is named. "
                    + "An administrator does not approve their own.",
                body: "GivenApproval", run: approve),
        ]
    }

    private func roles(_ call: AdminRequest) -> RoleAdministration {
        RoleAdministration(call.caller(provider))
    }

    private func awaited(_ call: AdminRequest) async throws -> AdminResponse {
        try await PageRequest.answer(
            call, list: "awaited-approvals", secrets: provider.secrets,
            all: roles(call).awaitingCredentials(), key: \.credential.id.description,
            json: Self.json)
    }

    private static func json(_ found: RoleAdministration.AwaitingCredential) -> JSONValue {
        let (credential, person) = (found.credential, found.person)
        return [
            "id": .string(credential.id.description), "username": .string(person.username),
            "sub": .string(person.id.description), "kind": .string(credential.kind.rawValue),
            "label": .string(credential.label),
            "created_at": .string(credential.createdAt.rfc3339),
        ]
    }

    private func approve(_ call: AdminRequest) async throws -> AdminResponse {
        let named = call.body["credentials"]?.array ?? []
        let shown = named.compactMap { $0.string.flatMap { Identifier<Credential>($0) } }
        let isList = !shown.isEmpty && shown.count == named.count
        return AdminResponse(
            try await roles(call).approve(
                isList ? Set(shown) : nil, of: call[parameter: "person"], notices: notices))
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await PageRequest.answer(
            call, list: "administrators", secrets: provider.secrets,
            read: {
                try await roles(call).page(after: $0.flatMap { Identifier($0) }, limit: $1)
            }, key: \.administrator.id.description,
            json: {
                Self.json($0.administrator, username: $0.username, project: $0.projectName)
            })
    }

    private func grant(_ call: AdminRequest) async throws -> AdminResponse {
        guard let role = call.body["role"]?.string.flatMap(Administrator.Role.init) else {
            return .refused(
                .unprocessableContent, code: "invalid_role",
                "role must be one of "
                    + Administrator.Role.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        // What is no text must not pass for "every project".
        guard call.body["project"] == nil || call.body["project"]?.string != nil else {
            return .refused(
                .unprocessableContent, code: "invalid_project", "project must be a name.")
        }
        let result = try await roles(call).grant(
            role, to: call[parameter: "person"], in: call.body["project"]?.string)
        return AdminResponse(result) {
            .value(
                Self.json(
                    $0.administrator, username: $0.person.username, project: $0.project?.name))
        }
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(
            try await roles(call).revoke(
                from: call[parameter: "person"], in: call.query["project"]))
    }

    /// Lists the resources that a person created, also if the account no longer exists.
    private func belongings(_ call: AdminRequest) async throws -> AdminResponse {
        let found = try await roles(call).resources(createdBy: call[parameter: "person"])
        guard let found else { return .unknown("person") }
        return try await PageRequest.answer(
            call, list: "belongings/\(found.username)", secrets: provider.secrets,
            all: found.items, key: \.key, json: Self.json)
    }

    private static func json(_ item: OwnedResources.Item) -> JSONValue {
        [
            "kind": .string(item.kind.rawValue), "project": .string(item.project),
            "id": .string(item.id), "name": .string(item.name),
        ]
    }

    private static func json(
        _ administrator: Administrator, username: String, project: String?
    ) -> JSONValue {
        var object = JSONObject()
        object["username"] = .string(username)
        object["sub"] = .string(administrator.person.description)
        object["project"] = project.map(JSONValue.string)
        object["role"] = .string(administrator.role.rawValue)
        object["created_at"] = .string(administrator.createdAt.rfc3339)
        return .object(object)
    }
}
