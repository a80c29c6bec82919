// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
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
    ) async throws -> Result<ConsoleRemoval.Target, ConsoleRefusal> {
        let id = console[parameter: "token"]
        let token = try await console.first(in: .listAPITokens) {
            $0["id"]?.string == id && $0["state"] == "active"
        }
        guard let name = token?["name"]?.string else {
            return .failure(ConsoleRefusal(answer: .unknown("api_token")))
        }
        let list = console.path(Self.part)
        return .success(ConsoleRemoval.Target(word: name, page: list, list: list))
    }

    private func list(
        _ console: ConsoleContext, refusal: AdminResponse? = nil, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listAPITokens, address: console.path(Self.part),
            columns: [
                "consoleName", "consoleRole", "consoleState", "consoleOwner", "consoleExpires",
            ].map { console.text($0) } + ["", ""],
            empty: console.text("consoleAPITokensNone"))
        let outcome = try await list.read(console) { row($0, console) }
        guard case .table(let table) = outcome else {
            return console.complain(outcome.refusal, part: Self.part)
        }
        var sections = [ConsoleSection(table: table)]
        if console.may(.changeAPITokens) {
            sections.append(newToken(console, typed))
        }
        return console.render(
            console.text("consolePart.api-tokens"), lead: console.text("consoleAPITokensLead"),
            part: Self.part, sections: sections, refusal: refusal)
    }

    private func row(_ token: JSONValue, _ console: ConsoleContext) -> [ConsoleCell] {
        let id = token["id"]?.string ?? ""
        let state = token["state"]?.string ?? ""
        return [
            ConsoleCell(token["name"]?.string ?? "", hint: id),
            ConsoleCell(console.text("consoleRole.\(token["role"]?.string ?? "")")),
            ConsoleCell(
                console.text("consoleToken.\(state)"), tone: state == "active" ? .good : .plain),
            ConsoleTokenTakeover.keeper(token, console),
            ConsoleCell(
                console.day(token["expires_at"]),
                hint: token["last_used_at"].map {
                    console.text("consoleUsed") + " " + console.when($0)
                } ?? ""),
            ConsoleTokenTakeover.link(token, console),
            console.may(.changeAPITokens) && state == "active"
                ? ConsoleCell(
                    console.text("consoleRevokeLink"),
                    href: console.path(Self.part, id, "revoke"))
                : ConsoleCell(""),
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
                            limit: 3),
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
        guard let text = answer.json?["token"]?.string else {
            return try await list(console, refusal: answer, typed: form)
        }
        return ConsoleRegistrationTokenPages.made(
            text, console, part: Self.part, back: console.path(Self.part))
    }
}
