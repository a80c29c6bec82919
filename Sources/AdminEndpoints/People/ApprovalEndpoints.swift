// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/people/{person}/approvals`: approval requests that clients send to a
/// person.
struct ApprovalEndpoints: Sendable {
    private let scope: ProjectScope
    private var provider: Provider { scope.provider }

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/people/{person}/approvals"
    /// The maximum of approval requests in one response. The sweep deletes expired ones before a
    /// person has as many.
    private static let maximumCount = 100

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listApprovals",
                "Recent approval requests, newest first; older ones are in the audit log.",
                answer: "Approvals", run: list),
            AdminEndpoint(
                .post, Self.path, "askApproval",
                "Sends a test request in the name of a client; it gives no access.",
                body: "TestApproval", answer: "Approval", statuses: [.created], run: ask),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await provider.person(of: call) else { return .unknown("person") }
        var items: [JSONValue] = []
        for approval in try await provider.store.approvals.approvals(
            of: person.id, limit: Self.maximumCount)
        {
            let client = try await provider.store.clients.client(approval.client)
            items.append(Self.json(approval, client: client, now: call.facts.now))
        }
        return .value(["items": .array(items)])
    }

    private func ask(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            guard let person = try await provider.person(of: call) else {
                return .unknown("person")
            }
            guard let id = call.body["client_id"]?.string,
                let client = try await provider.store.clients.client(
                    clientID: id, in: tenant.project.id)
            else { return .unknown("client") }
            let outcome = try await BackchannelEndpoint(provider).tryOut(
                person, by: client, tenant: tenant, facts: call.facts)
            switch outcome {
            case .failure(let refusal): return AdminResponse(refusal, .conflict)
            case .success(let approval):
                let json = Self.json(approval, client: client, now: call.facts.now)
                return .value(json, .created)
            }
        }
    }

    /// Without the text that the person signs: that is between them and the client.
    private static func json(
        _ approval: Approval, client: Client?, now: Timestamp
    ) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(approval.id.description)
        object["state"] = .string(state(approval, now))
        object["client_id"] = client.map { .string($0.clientID) }
        object["client_name"] = (client?.metadata.clientName).map(JSONValue.string)
        object["message"] = .string(approval.message)
        object["has_transaction_text"] = .bool(!approval.transaction.isEmpty)
        object["installation"] = approval.installation.map { .string($0.description) }
        object["created_at"] = .string(approval.createdAt.rfc3339)
        object["expires_at"] = .string(approval.expiresAt.rfc3339)
        return .object(object)
    }

    private static func state(_ approval: Approval, _ now: Timestamp) -> String {
        switch approval.state {
        case .pending: approval.expiresAt > now ? "pending" : "expired"
        case .approved, .redeemed: "approved"
        case .denied: "denied"
        }
    }
}
