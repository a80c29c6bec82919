// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
import Storage

/// Transfers an API token to the administrator who submits the form, for example after its owner
/// lost their role. By default the token gets a new secret. Only the operator can transfer a token
/// to another person.
struct ConsoleTokenTakeover: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "api-tokens"
    private static let path = ConsoleRouteGuard.project + "/" + part + "/{token}/hand-over"

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .changeAPITokens) { try await show($0) },
            frame.form(Self.path, .changeAPITokens, isGrave: true, hasPage: true) {
                try await takeOver($0, $1)
            },
        ]
    }

    /// A link to this page, or an empty cell if the administrator's role does not include the
    /// rights of the token.
    static func link(_ token: JSONValue, _ console: ConsoleContext) -> ConsoleCell {
        let role = token["role"]?.string.flatMap(Administrator.Role.init)
        guard console.may(.changeAPITokens), token["state"] == "active", let role,
            console.authority.rights.covers(role, in: console.tenant?.project.id)
        else { return ConsoleCell("") }
        return ConsoleCell(
            console.text("consoleTakeOverLink"),
            href: console.path(part, token["id"]?.string ?? "", "hand-over"))
    }

    /// The owner of the token.
    static func keeper(_ token: JSONValue, _ console: ConsoleContext) -> ConsoleCell {
        let maker = token["maker"]?.string ?? ""
        let hasLeft = token["maker_left"]?.bool == true && token["state"] == "active"
        return ConsoleCell(
            maker.isEmpty ? console.text("consoleOperator") : maker,
            hint: hasLeft ? console.text("consoleMakerLeft") : "")
    }

    private func show(
        _ console: ConsoleContext, refusal: AdminResponse? = nil, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let id = console[parameter: "token"]
        let token = try await console.first(in: .listAPITokens) {
            $0["id"]?.string == id && $0["state"] == "active"
        }
        guard let token else { return console.complain(.unknown("api_token"), part: Self.part) }
        let form = ConsoleForm(
            "hand-over", to: console.path(Self.part, id, "hand-over"),
            button: console.text("consoleTakeOver"),
            inputs: [
                ConsoleInput(
                    "keep_secret", console.text("consoleKeepSecret"), .flag,
                    value: typed?["keep_secret"] ?? "",
                    hint: console.text("consoleKeepSecretHint"))
            ])
        return console.render(
            console.text("consoleTakeOverTitle", ["name": token["name"]?.string ?? ""]),
            part: Self.part,
            sections: [
                ConsoleSection(facts: facts(token, console)),
                ConsoleSection(hint: console.text("consoleTakeOverHint"), forms: [form]),
            ],
            up: ConsoleLink(text: console.text("consoleCancel"), href: console.path(Self.part)),
            refusal: refusal)
    }

    private func facts(_ token: JSONValue, _ console: ConsoleContext) -> [ConsoleFact] {
        [
            ConsoleFact(
                console.text("consoleRole"),
                ConsoleCell(console.text("consoleRole.\(token["role"]?.string ?? "")"))),
            ConsoleFact(console.text("consoleOwner"), Self.keeper(token, console)),
            ConsoleFact(
                console.text("consoleUsed"), ConsoleCell(console.when(token["last_used_at"]))),
            ConsoleFact(
                console.text("consoleExpires"), ConsoleCell(console.day(token["expires_at"]))),
        ]
    }

    private func takeOver(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let answer = try await console.ask(
            .handOverAPIToken, [.token: console[parameter: "token"]],
            body: [
                "username": .string(console.authority.person.username),
                "keep_secret": .bool(form["keep_secret"] == "1"),
            ])
        guard let moved = answer.json else {
            return try await show(console, refusal: answer, typed: form)
        }
        guard let text = moved["token"]?.string else {
            return console.redirect(console.path(Self.part), done: "takenOver")
        }
        return ConsoleRegistrationTokenPages.made(
            text, console, part: Self.part, back: console.path(Self.part))
    }
}
