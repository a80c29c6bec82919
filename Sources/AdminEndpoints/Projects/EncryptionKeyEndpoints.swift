// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
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
        try await scope.open(call) {
            Self.answer(.success(try await EncryptionKeyAdministration($0).all()))
        }
    }

    private func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(try await EncryptionKeyAdministration($0).rotate())
        }
    }

    private func retire(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(
                try await EncryptionKeyAdministration($0).retire(call[parameter: "key"]))
        }
    }

    private static func answer(_ keys: AdministrativeResult<[EncryptionKey]>) -> AdminResponse {
        AdminResponse(keys) { .value(["items": .array($0.map(json))]) }
    }

    private static func json(_ key: EncryptionKey) -> JSONValue {
        let published = try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey
        return [
            "id": .string(key.id.description), "kid": .string(published?.keyID ?? ""),
            "state": .string(key.state.rawValue), "created_at": .string(key.createdAt.rfc3339),
        ]
    }
}
