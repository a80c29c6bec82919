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
    let provider: Provider
    let notices: any NotificationComposer

    private func roles(_ call: AdminRequest) -> RoleAdministration {
        RoleAdministration(call.caller(provider))
    }

    func awaited(_ call: AdminRequest) async throws -> AdminResponse {
        try await call.page(of: roles(call).awaitingCredentials(), json: Self.json)
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

    func approve(_ call: AdminRequest) async throws -> AdminResponse {
        let named = call.body["credentials"]?.array ?? []
        let shown = named.compactMap { $0.string.flatMap { Identifier<Credential>($0) } }
        let isList = !shown.isEmpty && shown.count == named.count
        return AdminResponse(
            try await roles(call).approve(
                isList ? Set(shown) : nil, of: call[.person], notices: notices))
    }

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await call.page(of: roles(call).list) {
            Self.json($0.administrator, username: $0.username, project: $0.projectName)
        }
    }

    func grant(_ call: AdminRequest) async throws -> AdminResponse {
        guard let role = call.body["role"]?.string.flatMap(Administrator.Role.init) else {
            return .invalid(
                "invalid_role",
                "role must be one of "
                    + Administrator.Role.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        // What is no text must not pass for "every project".
        guard call.body["project"] == nil || call.body["project"]?.string != nil else {
            return .invalid("invalid_project", "project must be a name.")
        }
        let result = try await roles(call).grant(
            role, to: call[.person], in: call.body["project"]?.string)
        return AdminResponse(result) {
            .value(
                Self.json(
                    $0.administrator, username: $0.person.username, project: $0.project?.name))
        }
    }

    func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(
            try await roles(call).revoke(
                from: call[.person], in: call.query["project"]))
    }

    /// Lists the resources that a person created, also if the account no longer exists.
    func belongings(_ call: AdminRequest) async throws -> AdminResponse {
        let found = try await roles(call).resources(createdBy: call[.person])
        guard let found else { return .unknown("person") }
        return try await call.page(of: found, json: Self.json)
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
