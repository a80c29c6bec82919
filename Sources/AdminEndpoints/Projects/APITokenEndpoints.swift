// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/api-tokens`: tokens of this API for programs, each with one role in one
/// project.
struct APITokenEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call,
            json: { entry in
                var object = Self.object(entry.token, now: call.facts.now)
                object["maker_left"] = .bool(entry.hasOwnerLeft)
                return .object(object)
            }, { APITokenAdministration($0).list })
    }

    func create(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wish: NewToken
            do throws(NewToken.ParseError) { wish = try NewToken(call.body) } catch {
                return .invalid(error.code, error.message)
            }
            let made = try await APITokenAdministration($0).create(
                wish.name, role: wish.role, lifetime: .seconds(wish.lifetime))
            return AdminResponse(made) {
                var object = Self.object($0.token, now: call.facts.now)
                object["token"] = .string($0.text)
                return .value(.object(object), .created)
            }
        }
    }

    /// Transfers a token to the person `username` of the home project. The operator may name any
    /// administrator, or omit the member to become the owner. Administrators may only name
    /// themselves.
    func handOver(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wish: Handing
            do throws(NewToken.ParseError) { wish = try Handing(call.body) } catch {
                return .invalid(error.code, error.message)
            }
            let moved = try await APITokenAdministration($0).transfer(
                call[.token], to: wish.username, keepsSecret: wish.keepsSecret)
            return AdminResponse(moved) {
                var object = Self.object($0.token, now: call.facts.now)
                object["token"] = $0.text.map(JSONValue.string)
                return .value(.object(object))
            }
        }
    }

    func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await APITokenAdministration($0).revoke(call[.token]))
        }
    }

    private static func object(_ token: APIToken, now: Timestamp) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(token.id.description)
        object["name"] = .string(token.name)
        object["role"] = .string(token.role.rawValue)
        object["state"] = .string(token.state(at: now).rawValue)
        object["maker"] = .string(token.makerName)
        object["created_at"] = .string(token.createdAt.rfc3339)
        object["expires_at"] = .string(token.expiresAt.rfc3339)
        object["last_used_at"] = token.lastUsedAt.map { .string($0.rfc3339) }
        return object
    }

    /// The body of an ownership transfer: the new owner, and whether the token's secret stays
    /// valid.
    private struct Handing {
        let username: String?
        let keepsSecret: Bool

        init(_ body: JSONValue) throws(NewToken.ParseError) {
            let reader = NewToken.reader(body)
            username = try reader.optional("username", .string)
            keepsSecret = try reader.optional("keep_secret", .bool) ?? false
        }
    }

    /// What an administrator asks for.
    private struct NewToken {
        struct ParseError: Error { let code: String, message: String }

        let name: String
        let role: Administrator.Role
        let lifetime: Int64

        init(_ body: JSONValue) throws(ParseError) {
            let reader = Self.reader(body)
            name = try reader.required("name", .label)
            role = try reader.required("role", .choice)
            lifetime =
                try reader.optional("lifetime", .integer(APITokens.lifetimes))
                ?? APITokens.defaultLifetime
            try reader.finish()
        }

        static func reader(_ body: JSONValue) -> JSONReader<ParseError> {
            JSONReader(body.object ?? JSONObject()) { error in
                ParseError(
                    code: error.reason == .unknown ? "unknown_member" : "invalid_\(error.member)",
                    message: "\(error).")
            }
        }
    }
}

extension JSONForm<String> {
    /// The name of a token, for people.
    static var label: JSONForm {
        .string(1...128).map("1 to 128 bytes of text") { text in
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
        }
    }
}
