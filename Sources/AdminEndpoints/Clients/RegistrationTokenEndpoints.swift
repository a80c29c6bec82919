// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/registration-tokens`: what lets machines register without a person.
struct RegistrationTokenEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/registration-tokens"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listRegistrationTokens",
                "Tokens, in order of making; where they are searched for, in order of what was "
                    + "found.",
                query: AdminEndpoint.search("label (or else serial number)")
                    + AdminEndpoint.paging, answer: "Page", run: list),
            AdminEndpoint(
                .post, Self.path, "createRegistrationToken",
                "Makes a token. The answer is the only place where it can be read.",
                body: "RegistrationToken", answer: "RegistrationToken", statuses: [.created],
                run: create),
            AdminEndpoint(
                .delete, Self.path + "/{token}", "revokeRegistrationToken",
                "Revokes a token. Devices that registered with it are kept.", run: revoke),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard let project = try await project(call) else { return .unknown("project") }
        guard call.search.isEmpty else {
            return try await PageRequest.found(
                call, list: "registration-tokens/\(project.id)", secrets: provider.secrets,
                by: [.label, .serial],
                read: {
                    try await provider.store.devices.deviceTokens(
                        of: project.id, by: $0, startingWith: call.search, after: $1, limit: $2)
                }, json: { .object(Self.object($0, now: call.facts.now)) })
        }
        return try await PageRequest.answer(
            call, list: "registration-tokens/\(project.id)", secrets: provider.secrets,
            read: {
                try await provider.store.devices.deviceTokens(
                    of: project.id, after: $0.flatMap { Identifier($0) }, limit: $1)
            }, key: \.id.description,
            json: { .object(Self.object($0, now: call.facts.now)) })
    }

    private func create(_ call: AdminRequest) async throws -> AdminResponse {
        guard let project = try await project(call) else { return .unknown("project") }
        let wish: NewToken
        do throws(NewToken.ParseError) { wish = try NewToken(call.body) } catch {
            return .refused(.unprocessableContent, code: "invalid_token", error.message)
        }
        let administrator = try await provider.administratorName(call.facts)
        let (token, text) = RegistrationTokenService(provider).draw(
            label: wish.label, serial: wish.serial, uses: wish.uses,
            lifetime: .seconds(wish.lifetime),
            owner: wish.owner ?? administrator,
            in: project.id, now: call.facts.now)
        try await provider.recorded(
            draft("admin.registration-token.create", token.id, project, call)
        ) { try await $0.devices.save(token) }
        var object = Self.object(token, now: call.facts.now)
        object["token"] = .string(text)
        return .value(.object(object), .created)
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        guard let project = try await project(call),
            let id = Identifier<RegistrationToken>(call[parameter: "token"])
        else { return .unknown("registration_token") }
        let isRevoked = try await provider.recorded(
            draft("admin.registration-token.revoke", id, project, call)
        ) { try await $0.devices.revoke(deviceToken: id, of: project.id, now: call.facts.now) }
        return isRevoked ? .nothing : .unknown("registration_token")
    }

    private func project(_ call: AdminRequest) async throws -> Project? {
        try await provider.store.projects.project(named: call[parameter: "project"])
    }

    private func draft(
        _ action: String, _ token: Identifier<RegistrationToken>, _ project: Project,
        _ call: AdminRequest
    ) -> AuditEventDraft {
        AuditEventDraft(
            action, in: project.id, facts: call.facts,
            details: #"{"registration_token":"\#(token)"}"#)
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

    /// What an administrator asks for.
    private struct NewToken {
        struct ParseError: Error { let message: String }

        var label = ""
        var serial: String?
        var owner: String?
        var uses: Int64 = 1
        var lifetime = RegistrationTokenService.defaultLifetime

        init(_ body: JSONValue) throws(ParseError) {
            let reader = JSONReader(body.object ?? JSONObject(), ignoresNull: true) {
                ParseError(message: "\($0).")
            }
            label = try reader.optional("label", .label) ?? ""
            serial = try reader.optional("serial_number", .label)
            owner = try reader.optional("owner", .label)
            uses =
                try reader.optional("maximum_uses", .integer(RegistrationTokenService.uses))
                ?? uses
            lifetime =
                try reader.optional("lifetime", .integer(RegistrationTokenService.lifetimes))
                ?? lifetime
            try reader.finish()
        }
    }
}
