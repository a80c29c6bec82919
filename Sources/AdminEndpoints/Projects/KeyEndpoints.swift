// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/keys`: what signs the project's tokens.
struct KeyEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/keys"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listKeys", "Published signing keys, oldest first.",
                answer: "Keys", run: list),
            AdminEndpoint(
                .post, Self.path + "/rotate", "rotateKey",
                "Activates the next key; the old one stays published until it is retired.",
                body: "KeyRotation", answer: "Keys", run: rotate),
            AdminEndpoint(
                .post, Self.path + "/{kid}/retire", "retireKey",
                "Retires a rotated key. Tokens that it signed become invalid.", answer: "Keys",
                run: retire),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            _ = try await scope.provider.keys.signer(for: tenant)
            return try await keys(of: tenant)
        }
    }

    private func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            let name = call.text("algorithm", absent: "ES256") ?? ""
            guard let algorithm = JWSAlgorithm(exactly: name), ["ES256", "RS256"].contains(name)
            else {
                return .refused(
                    .unprocessableContent, code: "invalid_algorithm",
                    "algorithm must be ES256 or RS256.")
            }
            let isRotated = try await scope.recorded(
                "admin.key.rotate", in: tenant, call, ["algorithm": .string(name)]
            ) { try await scope.provider.keys.rotate(algorithm, of: tenant, in: $0.signingKeys) }
            return isRotated ? try await keys(of: tenant) : ProjectScope.rotationUnderWay
        }
    }

    private func retire(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.tenant(call) { tenant in
            let kid = call[parameter: "kid"]
            let isRetired = try await scope.recorded(
                "admin.key.retire", in: tenant, call, ["kid": .string(kid)]
            ) { try await scope.provider.keys.retire(kid: kid, of: tenant, in: $0.signingKeys) }
            return isRetired ? try await keys(of: tenant) : ProjectScope.notRetiring("kid")
        }
    }

    private func keys(of tenant: Tenant) async throws -> AdminResponse {
        let keys = try await scope.provider.store.signingKeys.signingKeys(of: tenant.project.id)
        return .value(["items": .array(keys.map(Self.json))])
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
