// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/issuer-keys`: keys whose tokens are accepted when an app registers a
/// person.
struct IssuerKeyEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(call, json: Self.json) {
            try await IssuerKeyAdministration($0).list()
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: DesiredIssuerKey
            do throws(StateDocumentError) {
                wanted = try StateParser.issuerKey(call.body)
            } catch {
                return .invalid(error)
            }
            return AdminResponse(
                changes: try await IssuerKeyAdministration($0).put(
                    wanted, onlyNew: call.onlyNew))
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await IssuerKeyAdministration($0).remove(call[.key]))
        }
    }

    private static func json(_ key: IssuerKey) -> JSONValue {
        var object = StateExport.object(key)
        object["id"] = .string(key.id.description)
        object["created_at"] = .string(key.createdAt.rfc3339)
        return .object(object)
    }
}
