// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/encryption-keys`: what machines encrypt passwords to (Platform SSO).
struct EncryptionKeyEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/encryption-keys"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listEncryptionKeys",
                "Keys that decrypt messages of devices, newest first.", answer: "EncryptionKeys",
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

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            _ = try await scope.provider.encryptionKeys.current(of: tenant)
            return try await keys(of: tenant)
        }
    }

    private func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            let isRotated = try await scope.recorded(
                "admin.encryption-key.rotate", in: tenant, call
            ) { try await scope.provider.encryptionKeys.rotate(of: tenant, in: $0.encryptionKeys) }
            return isRotated ? try await keys(of: tenant) : ProjectScope.rotationUnderWay
        }
    }

    private func retire(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            guard let id = Identifier<EncryptionKey>(call[parameter: "key"]) else {
                return ProjectScope.notRetiring("id")
            }
            let isRetired = try await scope.recorded(
                "admin.encryption-key.retire", in: tenant, call,
                ["encryption_key": .string(id.description)]
            ) {
                try await scope.provider.encryptionKeys.retire(
                    id, of: tenant, in: $0.encryptionKeys)
            }
            return isRetired ? try await keys(of: tenant) : ProjectScope.notRetiring("id")
        }
    }

    private func keys(of tenant: Tenant) async throws -> AdminResponse {
        let keys = try await scope.provider.store.encryptionKeys.encryptionKeys(
            of: tenant.project.id)
        return .value(["items": .array(keys.map(Self.json))])
    }

    private static func json(_ key: EncryptionKey) -> JSONValue {
        let published = try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey
        return [
            "id": .string(key.id.description), "kid": .string(published?.keyID ?? ""),
            "state": .string(key.state.rawValue), "created_at": .string(key.createdAt.rfc3339),
        ]
    }
}
