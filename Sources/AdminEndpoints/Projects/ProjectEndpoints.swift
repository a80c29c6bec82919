// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
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
                .get, "/projects/{project}", "showProject", "One project.", answer: "Project",
                run: show),
            AdminEndpoint(
                .put, "/projects/{project}", "putProject",
                "Makes the project, or changes what the body names.", body: "Project",
                answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, "/projects/{project}", "removeProject",
                "Removes the project and everything in it.", run: remove),
        ]
    }

    private func projects(_ call: AdminRequest) -> ProjectAdministration {
        ProjectAdministration(call.caller(provider))
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await PageRequest.answer(
            call, list: "projects", secrets: provider.secrets,
            read: { try await projects(call).page(after: $0, limit: $1) },
            key: \.name, json: { .object(Self.object($0)) })
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(try await projects(call).overview(call[parameter: "project"])) { found in
            var object = Self.object(found.project)
            object["test_people"] = .integer(found.testPeople)
            return .value(.object(object))
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let wanted: DesiredProject
        do throws(StateDocumentError) {
            wanted = try StateParser.project(call.body, named: call[parameter: "project"])
        } catch {
            return .invalid(error)
        }
        return AdminResponse(
            changes: try await projects(call).put(wanted, onlyNew: call.onlyNew))
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(
            try await projects(call).remove(
                call[parameter: "project"], recordingIn: call.request.tenant.project.id))
    }

    private static func object(_ project: Project) -> JSONObject {
        var object = StateExport.object(project)
        object["id"] = .string(project.id.description)
        object["created_at"] = .string(project.createdAt.rfc3339)
        return object
    }
}
