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
    let provider: Provider

    private func projects(_ call: AdminRequest) -> ProjectAdministration {
        ProjectAdministration(call.caller(provider))
    }

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await call.page(of: projects(call).list) { .object(Self.object($0)) }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(try await projects(call).overview(call[.project])) { found in
            var object = Self.object(found.project)
            object["test_people"] = .integer(found.testPeople)
            return .value(.object(object))
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        let wanted: DesiredProject
        do throws(StateDocumentError) {
            wanted = try StateParser.project(call.body, named: call[.project])
        } catch {
            return .invalid(error)
        }
        return AdminResponse(
            changes: try await projects(call).put(wanted, onlyNew: call.onlyNew))
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        AdminResponse(
            try await projects(call).remove(
                call[.project], recordingIn: call.request.tenant.project.id))
    }

    private static func object(_ project: Project) -> JSONObject {
        var object = StateExport.object(project)
        object["id"] = .string(project.id.description)
        object["created_at"] = .string(project.createdAt.rfc3339)
        return object
    }
}
