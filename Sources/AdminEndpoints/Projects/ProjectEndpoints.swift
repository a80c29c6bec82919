// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects`: tenants.
struct ProjectEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, "/projects", "listProjects", "All projects, in order of name.",
                query: AdminEndpoint.paging, answer: "Page", run: list),
            AdminEndpoint(
                .get, "/projects/{project}", "showProject", "One project.", answer: "Project"
            ) { call in
                guard
                    let project = try await provider.store.projects.project(
                        named: call[parameter: "project"])
                else { return .unknown("project") }
                var object = Self.object(project)
                object["test_people"] = .integer(
                    try await provider.store.installations.testPeople(of: project))
                return .value(.object(object))
            },
            AdminEndpoint(
                .put, "/projects/{project}", "putProject",
                "Makes the project, or changes what the body names.", body: "Project",
                answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, "/projects/{project}", "removeProject",
                "Removes the project and everything in it.", run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await PageRequest.answer(
            call, list: "projects", secrets: provider.secrets,
            read: { try await provider.store.projects.projects(after: $0, limit: $1) },
            key: \.name, json: { .object(Self.object($0)) })
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let wanted: DesiredProject
        do throws(StateDocumentError) {
            wanted = try StateParser.project(call.body, named: call[parameter: "project"])
        } catch {
            return .invalid(error)
        }
        return try await provider.reconcile(wanted, making: .project, call)
    }

    /// Everything that hangs on the project goes too, so its name must not be a slip: `default`
    /// stays.
    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "project"]
        guard let project = try await provider.store.projects.project(named: name) else {
            return .unknown("project")
        }
        guard name != "default" else {
            return .refused(
                .conflict, code: "default_project", "The project default cannot be removed.")
        }
        // Audited in the project that did it; its own audit goes with it.
        let draft = AuditEventDraft(
            "admin.project.remove", in: call.request.tenant.project.id, facts: call.facts,
            details: (["name": .string(name)] as JSONValue).text)
        try await provider.recorded(draft) { try await $0.projects.remove(project: project.id) }
        provider.tenants.invalidate()
        provider.clients.invalidate()
        return .nothing
    }

    private static func object(_ project: Project) -> JSONObject {
        var object = StateExport.object(project)
        object["id"] = .string(project.id.description)
        object["created_at"] = .string(project.createdAt.rfc3339)
        return object
    }
}

extension Provider {
    /// Applies the state of one project that contains one resource of `kind`, and responds with the
    /// changes.
    func reconcile(
        _ wanted: DesiredProject, making kind: StateChange.Kind, _ call: AdminRequest
    ) async throws -> AdminResponse {
        let state = DesiredState(projects: [wanted])
        let reconciler = StateReconciler(self, rights: call.rights)
        let outcome =
            try await call.onlyNew
            ? reconciler.make(kind, of: state, facts: call.facts)
            : reconciler.apply(state, facts: call.facts)
        switch outcome {
        case nil: return .exists
        case .success(let changes):
            let isNew = changes.contains { $0.action == .create }
            return .value(StateEndpoints.json(changes), isNew ? .created : .ok)
        case .failure(let refusal): return .invalid(refusal)
        }
    }
}
