// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/keys`: what signs the project's tokens.
struct KeyEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/keys"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listKeys", "Published signing keys, oldest first.",
                answer: "Keys", run: list),
            AdminEndpoint(
                .post, Self.path + "/rotate", "rotateKey",
                "Lets the next key sign; the old one stays published until it is retired.",
                body: "KeyRotation", answer: "Keys", run: rotate),
            AdminEndpoint(
                .post, Self.path + "/{kid}/retire", "retireKey",
                "Publishes a retiring key no more: tokens that it signed end.", answer: "Keys",
                run: retire),
        ]
    }

    private func list(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        _ = try await provider.keys.signer(for: tenant)
        return try await keys(of: tenant)
    }

    private func rotate(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        let name = call.body["algorithm"]?.string ?? "ES256"
        guard let algorithm = JWSAlgorithm(exactly: name), ["ES256", "RS256"].contains(name) else {
            return .refused(
                .unprocessableContent, code: "invalid_algorithm",
                "algorithm must be ES256 or RS256.")
        }
        guard try await provider.keys.rotate(algorithm, of: tenant) else {
            return .refused(
                .conflict, code: "conflict", "Another rotation is under way; list the keys.")
        }
        try await audit("admin.key.rotate", tenant, call, ["algorithm": .string(name)])
        return try await keys(of: tenant)
    }

    private func retire(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        let kid = call[parameter: "kid"]
        guard try await provider.keys.retire(kid: kid, of: tenant) else {
            return .refused(
                .conflict, code: "not_retiring",
                "No key of that kid is retiring. Only a key that was rotated out can be retired.")
        }
        try await audit("admin.key.retire", tenant, call, ["kid": .string(kid)])
        return try await keys(of: tenant)
    }

    private func keys(of tenant: Tenant) async throws -> AdminAnswer {
        let keys = try await provider.store.signingKeys(of: tenant.project.id)
        return .value(["items": .array(keys.map(Self.json))])
    }

    private func audit(
        _ action: String, _ tenant: Tenant, _ call: AdminCall, _ details: JSONValue
    ) async throws {
        try await provider.audit.record(
            AuditDraft(
                action, in: tenant.project.id, facts: call.facts, details: details.text))
    }

    private static func json(_ key: SigningKey) -> JSONValue {
        [
            "kid": .string(key.kid), "algorithm": .string(key.algorithm),
            "state": .string(key.state.rawValue),
            "created_at": .string(key.createdAt.rfc3339),
            "changed_at": .string(key.changedAt.rfc3339),
        ]
    }
}
