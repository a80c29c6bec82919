// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/encryption-keys`: what machines encrypt passwords to (Platform SSO).
struct EncryptionKeyEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/encryption-keys"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listEncryptionKeys",
                "Keys that open what machines encrypt, newest first.", answer: "EncryptionKeys",
                run: list),
            AdminEndpoint(
                .post, Self.path + "/rotate", "rotateEncryptionKey",
                "Publishes another key; the old one still opens until it is retired.",
                answer: "EncryptionKeys", run: rotate),
            AdminEndpoint(
                .post, Self.path + "/{key}/retire", "retireEncryptionKey",
                "Deletes a key that was rotated out.", answer: "EncryptionKeys", run: retire),
        ]
    }

    private func list(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await tenant(call) else { return .unknown("project") }
        _ = try await provider.encryptionKeys.current(of: tenant)
        return try await keys(of: tenant)
    }

    private func rotate(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await tenant(call) else { return .unknown("project") }
        guard try await provider.encryptionKeys.rotate(of: tenant) else {
            return .refused(
                .conflict, code: "conflict", "Another rotation is under way; list the keys.")
        }
        try await audit("admin.encryption-key.rotate", tenant, call, [:])
        return try await keys(of: tenant)
    }

    private func retire(_ call: AdminCall) async throws -> AdminAnswer {
        guard let tenant = try await tenant(call) else { return .unknown("project") }
        guard let id = Identifier<EncryptionKey>(call[parameter: "key"]),
            try await provider.encryptionKeys.retire(id, of: tenant)
        else {
            return .refused(
                .conflict, code: "not_retiring",
                "No key of that id is retiring. Only a key that was rotated out can be retired.")
        }
        try await audit(
            "admin.encryption-key.retire", tenant, call,
            ["encryption_key": .string(id.description)])
        return try await keys(of: tenant)
    }

    private func tenant(_ call: AdminCall) async throws -> Tenant? {
        try await provider.tenant(named: call[parameter: "project"])
    }

    private func keys(of tenant: Tenant) async throws -> AdminAnswer {
        let keys = try await provider.store.encryptionKeys(of: tenant.project.id)
        return .value(["items": .array(keys.map(Self.json))])
    }

    private func audit(
        _ action: String, _ tenant: Tenant, _ call: AdminCall, _ details: JSONValue
    ) async throws {
        try await provider.audit.record(
            AuditDraft(
                action, in: tenant.project.id, facts: call.facts, details: details.text))
    }

    private static func json(_ key: EncryptionKey) -> JSONValue {
        let published = try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey
        return [
            "id": .string(key.id.description), "kid": .string(published?.keyID ?? ""),
            "state": .string(key.state.rawValue), "created_at": .string(key.createdAt.rfc3339),
        ]
    }
}
