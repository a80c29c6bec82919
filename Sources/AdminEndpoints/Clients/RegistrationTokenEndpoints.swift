// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderDevices
import Storage

/// `/projects/{project}/registration-tokens`: what lets machines register without a person.
struct RegistrationTokenEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(Self.object($0, now: call.facts.now)) },
            { RegistrationTokenAdministration($0).list(startingWith: call.search) })
    }

    func create(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: RegistrationTokenAdministration.NewToken
            do throws(ParseError) { wanted = try Self.newToken(call.body) } catch {
                return .invalid("invalid_token", error.message)
            }
            let (token, text) = try await RegistrationTokenAdministration($0).create(wanted)
            var object = Self.object(token, now: call.facts.now)
            object["token"] = .string(text)
            return .value(.object(object), .created)
        }
    }

    func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call, unknown: "registration_token") {
            AdminResponse(
                try await RegistrationTokenAdministration($0).revoke(call[.token]))
        }
    }

    private static func object(_ token: RegistrationToken, now: Timestamp) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(token.id.description)
        object["label"] = .string(token.label)
        object["state"] = .string(token.state(at: now).rawValue)
        object["owner"] = .string(token.owner)
        object["serial_number"] = token.serial.map(JSONValue.string)
        object["uses"] = .integer(token.uses)
        object["maximum_uses"] = .integer(token.maximumUses)
        object["created_at"] = .string(token.createdAt.rfc3339)
        object["expires_at"] = .string(token.expiresAt.rfc3339)
        return object
    }

    private struct ParseError: Error { let message: String }

    private static func newToken(
        _ body: JSONValue
    ) throws(ParseError) -> RegistrationTokenAdministration.NewToken {
        let reader = JSONReader(body.object ?? JSONObject(), ignoresNull: true) {
            ParseError(message: "\($0).")
        }
        var token = RegistrationTokenAdministration.NewToken()
        token.label = try reader.optional("label", .label) ?? ""
        token.serial = try reader.optional("serial_number", .label)
        token.owner = try reader.optional("owner", .label)
        token.uses =
            try reader.optional("maximum_uses", .integer(RegistrationTokenService.uses))
            ?? token.uses
        token.lifetime =
            try reader.optional("lifetime", .integer(RegistrationTokenService.lifetimes))
            ?? token.lifetime
        try reader.finish()
        return token
    }
}
