// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/clients`: relying parties and services.
struct ClientEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/clients"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listClients", "Clients, in order of client_id.",
                query: AdminEndpoint.search("client_id") + AdminEndpoint.paging, answer: "Page",
                run: list),
            AdminEndpoint(
                .get, Self.path + "/{client}", "showClient", "One client.", answer: "Client",
                run: show),
            AdminEndpoint(
                .put, Self.path + "/{client}", "putClient",
                "Makes the client, or makes it match the body.", body: "Client",
                answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, Self.path + "/{client}", "removeClient",
                "Removes the client; its tokens end.", run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
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

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "client") {
            let client = try await ClientAdministration($0).client(call[parameter: "client"])
            return client.map { .value(ClientAdministration.json($0)) } ?? .unknown("client")
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: DesiredClient
            do throws(StateDocumentError) {
                wanted = try StateParser.client(call.body, id: call[parameter: "client"])
            } catch {
                return .invalid(error)
            }
            return AdminResponse(
                changes: try await ClientAdministration($0).put(wanted, if: call.condition))
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "client") {
            AdminResponse(
                try await ClientAdministration($0).remove(call[parameter: "client"]))
        }
    }
}
