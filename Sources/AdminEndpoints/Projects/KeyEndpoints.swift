// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/keys`: what signs the project's tokens.
struct KeyEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(.success(try await SigningKeyAdministration($0).all()))
        }
    }

    func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let name = call.text("algorithm", absent: "ES256") ?? ""
            guard let algorithm = JWSAlgorithm(exactly: name), ["ES256", "RS256"].contains(name)
            else {
                return .invalid("invalid_algorithm", "algorithm must be ES256 or RS256.")
            }
            guard let atOnce = call.flag("at_once") else {
                return .invalid("invalid_at_once", "at_once must be true or false.")
            }
            return Self.answer(
                try await SigningKeyAdministration($0).rotate(algorithm, atOnce: atOnce))
        }
    }

    func retire(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            Self.answer(
                try await SigningKeyAdministration($0).retire(kid: call[.kid]))
        }
    }

    private static func answer(_ keys: AdministrativeResult<[SigningKey]>) -> AdminResponse {
        AdminResponse(keys) { keys in
            .value(["items": .array(keys.map { json($0, among: keys) })])
        }
    }

    private static func json(_ key: SigningKey, among keys: [SigningKey]) -> JSONValue {
        let json: JSONValue = [
            "kid": .string(key.kid), "algorithm": .string(key.algorithm),
            "state": .string(key.state.rawValue),
            "created_at": .string(key.createdAt.rfc3339),
            "changed_at": .string(key.changedAt.rfc3339),
        ]
        guard key.state == .next, var object = json.object else { return json }
        object["can_sign_from"] = .string(keys.publicationEnd(of: key).rfc3339)
        return .object(object)
    }
}
