// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/encryption-keys`: what machines encrypt passwords to (Platform SSO).
struct EncryptionKeyEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(.success(try await EncryptionKeyAdministration($0).all()))
        }
    }

    func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(try await EncryptionKeyAdministration($0).rotate())
        }
    }

    func retire(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(
                try await EncryptionKeyAdministration($0).retire(call[.key]))
        }
    }

    private static func answer(_ keys: AdministrativeResult<[EncryptionKey]>) -> AdminResponse {
        AdminResponse(keys) { .value(["items": .array($0.map(json))]) }
    }

    private static func json(_ key: EncryptionKey) -> JSONValue {
        [
            "id": .string(key.id.description),
            "kid": .string(EncryptionKeyAdministration.publishedName(of: key)),
            "state": .string(key.state.rawValue), "created_at": .string(key.createdAt.rfc3339),
        ]
    }
}
