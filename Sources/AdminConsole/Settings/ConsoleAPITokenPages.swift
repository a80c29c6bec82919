// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// Tokens of the Admin API for programs: made, shown once, watched, revoked.
struct ConsoleAPITokenPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "api-tokens"
    private static let path = ConsoleRouteGuard.project + "/" + part
    private static let days: ClosedRange<Int64> = 1...366

    var routes: [HTTPRoute] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{token}/revoke", action: .changeAPITokens, part: Self.part,
            name: "apiToken", operation: .revokeAPIToken, find: { try await target($0) })
        return [
            frame.page(Self.path, .seeAPITokens) { try await list($0) },
            frame.form(Self.path + "/create", .changeAPITokens, isGrave: true) {
                try await create($0, $1)
            },
        ] + ConsoleTokenTakeover(frame).routes + revocation.routes(frame)
    }

    private func target(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ConsoleRemoval.Target> {
        try await Self.active(console).map {
            ConsoleRemoval.Target(word: $0.token.name, list: console.path(Self.part))
        }
    }

    /// The token of the address, while it is active.
    static func active(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<APITokenAdministration.Entry> {
        let id = console[parameter: "token"]
        return try await console.call(.listAPITokens) {
            let found = try await APITokenAdministration($0).list.first {
                $0.token.id.description == id && $0.token.isGood(at: console.now)
            }
            return found.map { .success($0) } ?? .failure(.unknown("api_token"))
        }
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listAPITokens, address: console.path(Self.part),
            columns: [
                "consoleName", "consoleRole", "consoleState", "consoleOwner", "consoleExpires",
            ].map { console.text($0) } + ["", ""],
            empty: console.text("consoleAPITokensNone"))
        let found = try await list.read(console, { APITokenAdministration($0).list }) {
            row($0, console)
        }
        guard let table = found.value else { return console.refuse(found.refusal, part: Self.part) }
        var sections = [ConsoleSection(table: table)]
        if console.may(.changeAPITokens) {
            sections.append(newToken(console, typed))
        }
        return console.render(
            console.text("consolePart.api-tokens"), lead: console.text("consoleAPITokensLead"),
            part: Self.part, sections: sections, refusal: refusal)
    }

    private func row(
        _ entry: APITokenAdministration.Entry, _ console: ConsoleContext
    ) -> [ConsoleCell] {
        let token = entry.token
        let (id, state) = (token.id.description, token.state(at: console.now))
        return [
            ConsoleCell(token.name, hint: id),
            ConsoleCell(console.text("consoleRole.\(token.role.rawValue)")),
            ConsoleCell(
                console.text("consoleToken.\(state.rawValue)"),
                tone: state == .active ? .good : .plain),
            ConsoleTokenTakeover.owner(entry, console),
            ConsoleCell(
                console.minute(token.expiresAt),
                hint: token.lastUsedAt.map {
                    console.text("consoleUsed") + " " + console.when($0)
                } ?? ""),
            ConsoleTokenTakeover.link(token, console),
            console.link(
                "consoleRevokeLink", to: console.path(Self.part, id, "revoke"),
                if: console.may(.changeAPITokens) && state == .active),
        ]
    }

    private func newToken(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        let roles = APITokens.roles.filter {
            console.authority.rights.covers($0, in: console.tenant?.project.id)
        }.map { (value: $0.rawValue, label: console.text("consoleRole.\($0.rawValue)")) }
        return ConsoleSection(
            title: console.text("consoleTokenNew"), hint: console.text("consoleAPITokenNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path(Self.part, "create"),
                    button: console.text("consoleTokenCreate"),
                    inputs: [
                        ConsoleInput(
                            "name", console.text("consoleName"), value: typed?["name"] ?? "",
                            hint: console.text("consoleAPITokenNameHint"), isRequired: true,
                            limit: 128),
                        ConsoleInput(
                            "role", console.text("consoleRole"), .choice(roles),
                            value: typed?["role"] ?? Administrator.Role.support.rawValue),
                        ConsoleInput(
                            "days", console.text("consoleDays"), value: typed?["days"] ?? "90",
                            hint: console.text(Self.days), limit: 3),
                    ])
            ])
    }

    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard let days = Int64(form["days"] ?? ""), Self.days.contains(days) else {
            return try await list(console, refusal: .conflict("invalid_number"), typed: form)
        }
        let answer = try await console.ask(
            .createAPIToken,
            body: [
                "name": .string((form["name"] ?? "").trimmed()),
                "role": .string(form["role"] ?? ""), "lifetime": .integer(days * 86_400),
            ])
        guard let text = answer.value?["token"]?.string else {
            return try await list(console, refusal: answer.refusal, typed: form)
        }
        return ConsoleRegistrationTokenPages.made(text, console, part: Self.part)
    }
}
