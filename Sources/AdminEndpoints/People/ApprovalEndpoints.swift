// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/people/{person}/approvals`: approval requests that clients send to a
/// person.
struct ApprovalEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "person") {
            let requests = try await ApprovalAdministration($0).requests(
                to: call[.person])
            return AdminResponse(requests) { found in
                .value(["items": .array(found.map { Self.json($0, now: call.facts.now) })])
            }
        }
    }

    func ask(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let sent = try await ApprovalAdministration($0).sendTrial(
                to: call[.person], by: call.body["client_id"]?.string)
            return AdminResponse(sent) { .value(Self.json($0, now: call.facts.now), .created) }
        }
    }

    /// Without the text that the person signs: that is between them and the client.
    private static func json(
        _ request: ApprovalAdministration.Request, now: Timestamp
    ) -> JSONValue {
        let (approval, client) = (request.approval, request.client)
        var object = JSONObject()
        object["id"] = .string(approval.id.description)
        object["state"] = .string(approval.status(at: now).rawValue)
        object["client_id"] = client.map { .string($0.clientID) }
        object["client_name"] = (client?.metadata.clientName).map(JSONValue.string)
        object["message"] = .string(approval.message)
        object["has_transaction_text"] = .bool(!approval.transaction.isEmpty)
        object["installation"] = approval.installation.map { .string($0.description) }
        object["created_at"] = .string(approval.createdAt.rfc3339)
        object["expires_at"] = .string(approval.expiresAt.rfc3339)
        return .object(object)
    }
}
