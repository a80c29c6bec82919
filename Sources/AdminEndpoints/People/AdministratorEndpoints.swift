// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
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

    private func awaited(_ call: AdminRequest) async throws -> AdminResponse {
        var found: [JSONValue] = []
        for credential in try await provider.store.credentials.credentialsAwaitingApproval() {
            guard let person = try await provider.store.people.person(credential.person) else {
                continue
            }
            found.append([
                "id": .string(credential.id.description), "username": .string(person.username),
                "sub": .string(person.id.description), "kind": .string(credential.kind.rawValue),
                "label": .string(credential.label),
                "created_at": .string(credential.createdAt.rfc3339),
            ])
        }
        return try await PageRequest.answer(
            call, list: "awaited-approvals", secrets: provider.secrets, all: found,
            key: { $0["id"]?.string ?? "" }, json: { $0 })
    }

    private func approve(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (home, person) = try await person(call),
            let tenant = try await provider.tenant(named: home.name)
        else { return .unknown("person") }
        let named = call.body["credentials"]?.array ?? []
        let shown = named.compactMap { $0.string.flatMap { Identifier<Credential>($0) } }
        guard !shown.isEmpty, shown.count == named.count else {
            return .refused(
                .unprocessableContent, code: "invalid_approval",
                "credentials must be a list of the ids that wait.")
        }
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: call.facts, writer: notices)
        let outcome = try await AwaitedApprovals(context).approve(
            Set(shown), of: person, by: call.facts.administrator)
        switch outcome {
        case .failure(let refusal): return Self.refused(refusal)
        case .success: return .nothing
        }
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await PageRequest.answer(
            call, list: "administrators", secrets: provider.secrets,
            read: {
                try await provider.store.administrators.administrators(
                    after: $0.flatMap { Identifier($0) }, limit: $1)
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
        let scope = try await scope(call.body["project"]?.string)
        guard case .found(let project) = scope else { return .unknown("project") }
        guard let (home, person) = try await person(call) else { return .unknown("person") }
        let roles = AdministratorRoles(provider, home: home.id, facts: call.facts)
        switch try await roles.grant(role, to: person, in: project) {
        case .failure(let refusal): return Self.refused(refusal)
        case .success(let given):
            return .value(Self.json(given, username: person.username, project: project?.name))
        }
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        let scope = try await scope(call.query["project"])
        guard case .found(let project) = scope else { return .unknown("project") }
        guard let (home, person) = try await person(call) else { return .unknown("person") }
        let roles = AdministratorRoles(provider, home: home.id, facts: call.facts)
        switch try await roles.revoke(from: person, in: project) {
        case .failure(let refusal): return Self.refused(refusal)
        case .success: return .nothing
        }
    }

    /// Lists the resources that a person created, also if the account no longer exists.
    private func belongings(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "person"]
        let known = try await person(call)?.1.username
        guard let username = known ?? UserName.canonical(name) else { return .unknown("person") }
        return try await PageRequest.answer(
            call, list: "belongings/\(username)", secrets: provider.secrets,
            all: OwnedResources(provider, now: call.facts.now).all(of: username), key: \.key,
            json: Self.json)
    }

    private static func json(_ item: OwnedResources.Item) -> JSONValue {
        [
            "kind": .string(item.kind.rawValue), "project": .string(item.project),
            "id": .string(item.id), "name": .string(item.name),
        ]
    }

    private enum Scope {
        /// `nil` for all.
        case found(Project?)
        case unknown
    }

    private func scope(_ name: String?) async throws -> Scope {
        guard let name else { return .found(nil) }
        return try await provider.store.projects.project(named: name).map { .found($0) } ?? .unknown
    }

    private func person(_ call: AdminRequest) async throws -> (home: Project, Person)? {
        var call = call
        call.request.parameters["project"] = AdministratorRoles.homeProject
        guard
            let home = try await provider.store.projects.project(
                named: AdministratorRoles.homeProject),
            let person = try await provider.person(of: call)
        else { return nil }
        return (home, person)
    }

    private static func refused(_ refusal: Refusal) -> AdminResponse {
        .refused(
            refusal.code.hasPrefix("unknown_") ? .notFound : .conflict, code: refusal.code,
            refusal.message)
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
