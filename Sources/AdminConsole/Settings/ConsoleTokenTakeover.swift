// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
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
    static func link(_ token: APIToken, _ console: ConsoleContext) -> ConsoleCell {
        console.link(
            "consoleTakeOverLink", to: console.path(part, token.id.description, "hand-over"),
            if: console.may(.changeAPITokens) && token.isGood(at: console.now)
                && console.authority.rights.covers(token.role, in: console.tenant?.project.id))
    }

    /// The owner of the token.
    static func owner(
        _ entry: APITokenAdministration.Entry, _ console: ConsoleContext
    ) -> ConsoleCell {
        let hasLeft = entry.hasOwnerLeft && entry.token.isGood(at: console.now)
        let name = entry.token.makerName
        return ConsoleCell(
            name.isEmpty ? console.text("consoleOperator") : name,
            hint: hasLeft ? console.text("consoleMakerLeft") : "")
    }

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let id = console[parameter: "token"]
        let found = try await ConsoleAPITokenPages.active(console)
        guard let entry = found.value else { return console.refuse(found.refusal, part: Self.part) }
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
            console.text("consoleTakeOverTitle", ["name": entry.token.name]),
            part: Self.part,
            sections: [
                ConsoleSection(facts: facts(entry, console)),
                ConsoleSection(hint: console.text("consoleTakeOverHint"), forms: [form]),
            ],
            up: ConsoleLink(text: console.text("consoleCancel"), href: console.path(Self.part)),
            refusal: refusal)
    }

    private func facts(
        _ entry: APITokenAdministration.Entry, _ console: ConsoleContext
    ) -> [ConsoleFact] {
        let role = "consoleRole.\(entry.token.role.rawValue)"
        return [
            ConsoleFact(console.text("consoleRole"), ConsoleCell(console.text(role))),
            ConsoleFact(console.text("consoleOwner"), Self.owner(entry, console)),
            ConsoleFact(
                console.text("consoleUsed"), ConsoleCell(console.when(entry.token.lastUsedAt))),
            ConsoleFact(
                console.text("consoleExpires"), ConsoleCell(console.minute(entry.token.expiresAt))),
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
        guard let moved = answer.value else {
            return try await show(console, refusal: answer.refusal, typed: form)
        }
        guard let text = moved["token"]?.string else {
            return console.redirect(console.path(Self.part), done: "takenOver")
        }
        return ConsoleRegistrationTokenPages.made(text, console, part: Self.part)
    }
}
