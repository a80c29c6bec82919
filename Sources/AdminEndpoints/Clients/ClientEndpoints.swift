// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/clients`: relying parties and services.
struct ClientEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "clients/\(project.project.id)/\(call.search)",
                secrets: scope.provider.secrets,
                read: {
                    try await ClientAdministration(project).page(
                        call.search, after: $0, limit: $1)
                },
                key: \.clientID, json: ClientAdministration.json)
        }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "client") {
            let client = try await ClientAdministration($0).client(call[.client])
            return client.map { .value(ClientAdministration.json($0)) } ?? .unknown("client")
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: DesiredClient
            do throws(StateDocumentError) {
                wanted = try StateParser.client(call.body, id: call[.client])
            } catch {
                return .invalid(error)
            }
            return AdminResponse(
                changes: try await ClientAdministration($0).put(wanted, if: call.condition))
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "client") {
            AdminResponse(
                try await ClientAdministration($0).remove(call[.client]))
        }
    }
}
