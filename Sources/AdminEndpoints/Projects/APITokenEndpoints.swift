// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/api-tokens`: tokens of this API for programs, each with one role in one
/// project.
struct APITokenEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/api-tokens"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listAPITokens", "API tokens, in order of making.",
                query: AdminEndpoint.paging, answer: "Page", run: list),
            AdminEndpoint(
                .post, Self.path, "createAPIToken",
                "Creates a token. Only this response contains its value.",
                body: "APIToken", answer: "APIToken", statuses: [.created], run: create),
            AdminEndpoint(
                .put, Self.path + "/{token}/maker", "handOverAPIToken",
                "Transfers a token to another owner; its rights are limited to those of the owner. The "
                    + "token is replaced, and only this response contains the new one. Administrators can take "
                    + "tokens over; only the operator can give them to others (`not_yourself`). Of two "
                    + "concurrent transfers, one succeeds and one returns `taken_over_meanwhile`.",
                body: "APITokenMaker", answer: "APIToken", run: handOver),
            AdminEndpoint(
                .delete, Self.path + "/{token}", "revokeAPIToken",
                "Revokes a token.", run: revoke),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.project(call) { project in
            let name = "api-tokens/\(project.id)"
            switch PageRequest.read(call, list: name, secrets: scope.provider.secrets) {
            case .failure(let complaint): return complaint.answer
            case .success(let page):
                let found = try await scope.provider.store.apiTokens.apiTokens(
                    of: project.id, after: page.after.flatMap { Identifier($0) },
                    limit: page.limit + 1)
                let left = try await APITokens(scope.provider, facts: call.facts).left(among: found)
                return page.answer(found, key: \.id.description) { token in
                    var object = Self.object(token, now: call.facts.now)
                    object["maker_left"] = .bool(left.contains(token.id))
                    return .object(object)
                }
            }
        }
    }

    private func create(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.project(call) { project in
            let wish: NewToken
            do throws(NewToken.ParseError) { wish = try NewToken(call.body) } catch {
                return .refused(.unprocessableContent, code: error.code, error.message)
            }
            let made = try await APITokens(scope.provider, facts: call.facts).make(
                wish.name, role: wish.role, lifetime: .seconds(wish.lifetime), in: project,
                rights: call.rights)
            switch made {
            case .failure(let refusal):
                return AdminResponse(
                    refusal, refusal.code == APITokens.higher.code ? .forbidden : .conflict)
            case .success(let (token, text)):
                var object = Self.object(token, now: call.facts.now)
                object["token"] = .string(text)
                return .value(.object(object), .created)
            }
        }
    }

    /// Transfers a token to the person `username` of the home project. The operator may name any
    /// administrator, or omit the member to become the owner. Administrators may only name
    /// themselves.
    private func handOver(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.project(call) { project in
            let wish: Handing
            do throws(NewToken.ParseError) { wish = try Handing(call.body) } catch {
                return .refused(.unprocessableContent, code: error.code, error.message)
            }
            var successor: Person?
            if let name = wish.username {
                successor = try await scope.provider.administrator(named: name)
                guard successor != nil else { return .unknown("person") }
            }
            guard let id = Identifier<APIToken>(call[parameter: "token"]) else {
                return .unknown("api_token")
            }
            let outcome = try await APITokens(scope.provider, facts: call.facts).handOver(
                id, of: project, to: successor, keepsSecret: wish.keepsSecret,
                rights: call.rights)
            switch outcome {
            case .success(let (token, text)):
                var object = Self.object(token, now: call.facts.now)
                object["token"] = text.map(JSONValue.string)
                return .value(.object(object))
            case .failure(let refusal):
                switch refusal.code {
                case "unknown_api_token": return .unknown("api_token")
                case APITokens.overtaken.code: return AdminResponse(refusal, .conflict)
                default: return AdminResponse(refusal, .forbidden)
                }
            }
        }
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.project(call) { project in
            guard let id = Identifier<APIToken>(call[parameter: "token"]),
                try await APITokens(scope.provider, facts: call.facts).revoke(id, of: project)
            else { return .unknown("api_token") }
            return .nothing
        }
    }

    private static func object(_ token: APIToken, now: Timestamp) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(token.id.description)
        object["name"] = .string(token.name)
        object["role"] = .string(token.role.rawValue)
        object["state"] = .string(
            token.revokedAt != nil ? "revoked" : token.isGood(at: now) ? "active" : "expired")
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
