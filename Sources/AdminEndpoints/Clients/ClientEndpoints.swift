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
        try await scope.list(call, json: ClientAdministration.json) {
            ClientAdministration($0).list(startingWith: call.search)
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
