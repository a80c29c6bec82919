// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import Storage

/// Tokens by which machines register.
struct ConsoleRegistrationTokenPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/registration-tokens"
    private static let hours: ClosedRange<Int64> = 1...8760

    var routes: [HTTPRoute] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{token}/revoke", action: .changeRegistrationTokens,
            part: "registration-tokens", name: "registrationToken",
            operation: .revokeRegistrationToken, find: { try await target($0) })
        return [
            frame.page(Self.path, .seeRegistrationTokens) { try await list($0) },
            frame.form(Self.path + "/create", .changeRegistrationTokens, isGrave: true) {
                try await create($0, $1)
            },
        ] + revocation.routes(frame)
    }

    private func target(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ConsoleRemoval.Target> {
        let id = console[parameter: "token"]
        let list = console.path("registration-tokens")
        return try await console.call(.listRegistrationTokens) {
            let tokens = RegistrationTokenAdministration($0).list(startingWith: "")
            let token = try await tokens.first {
                $0.id.description == id && $0.state(at: console.now) == .active
            }
            guard let token else { return .failure(.unknown("registration_token")) }
            return .success(ConsoleRemoval.Target(word: Self.name(token), list: list))
        }
    }

    /// What people call it.
    private static func name(_ token: RegistrationToken) -> String {
        [token.label, token.serial ?? ""].first { !$0.isEmpty } ?? token.id.description
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listRegistrationTokens, address: console.path("registration-tokens"),
            columns: [
                "consoleLabel", "consoleState", "consoleUses", "consoleOwner", "consoleExpires",
            ].map { console.text($0) } + [""],
            empty: console.text("consoleTokensNone")
        ).searched(console)
        let found = try await list.read(
            console, { RegistrationTokenAdministration($0).list(startingWith: console.search) }
        ) { row($0, console) }
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "registration-tokens")
        }
        var sections = [
            ConsoleSection(filters: [list.filter(console, "consoleSearchTokens")], table: table)
        ]
        if console.may(.changeRegistrationTokens) { sections.append(newToken(console, typed)) }
        return console.render(
            console.text("consolePart.registration-tokens"),
            lead: console.text("consoleTokensLead"), part: "registration-tokens",
            sections: sections, refusal: refusal)
    }

    private func row(_ token: RegistrationToken, _ console: ConsoleContext) -> [ConsoleCell] {
        let id = token.id.description
        let state = token.state(at: console.now)
        return [
            ConsoleCell(Self.name(token), hint: token.label.isEmpty ? id : token.serial ?? id),
            ConsoleCell(
                console.text("consoleToken.\(state.rawValue)"),
                tone: state == .active ? .good : .plain),
            ConsoleCell("\(token.uses) / \(token.maximumUses)"),
            ConsoleCell(token.owner.isEmpty ? console.text("consoleOperator") : token.owner),
            ConsoleCell(console.minute(token.expiresAt)),
            console.link(
                "consoleRevokeLink", to: console.path("registration-tokens", id, "revoke"),
                if: console.may(.changeRegistrationTokens) && state == .active),
        ]
    }

    private func newToken(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleTokenNew"), hint: console.text("consoleTokenNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("registration-tokens", "create"),
                    button: console.text("consoleTokenCreate"),
                    inputs: [
                        ConsoleInput(
                            "label", console.text("consoleLabel"), value: typed?["label"] ?? "",
                            limit: 128),
                        ConsoleInput(
                            "serial_number", console.text("consoleSerial"),
                            value: typed?["serial_number"] ?? "",
                            hint: console.text("consoleSerialHint"), limit: 128),
                        ConsoleInput(
                            "maximum_uses", console.text("consoleUses"),
                            value: typed?["maximum_uses"] ?? "1",
                            hint: console.text(RegistrationTokenAdministration.uses), limit: 7),
                        ConsoleInput(
                            "hours", console.text("consoleHours"), value: typed?["hours"] ?? "24",
                            hint: console.text(Self.hours), limit: 4),
                    ])
            ])
    }

    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard let hours = Int64(form["hours"] ?? ""), Self.hours.contains(hours),
            let uses = Int64(form["maximum_uses"] ?? ""),
            RegistrationTokenAdministration.uses.contains(uses)
        else { return try await list(console, refusal: .conflict("invalid_number"), typed: form) }
        var body = JSONObject()
        for name in ["label", "serial_number"] {
            let typed = (form[name] ?? "").trimmed()
            if !typed.isEmpty { body[name] = .string(typed) }
        }
        body["maximum_uses"] = .integer(uses)
        body["lifetime"] = .integer(hours * 3600)
        let answer = try await console.ask(.createRegistrationToken, body: .object(body))
        guard let text = answer.value?["token"]?.string else {
            return try await list(console, refusal: answer.refusal, typed: form)
        }
        return Self.made(text, console, part: "registration-tokens")
    }

    /// A token that was just made: in this answer, and nowhere else.
    ///
    /// - Parameter back: where the page leads when the token was saved; `nil` for the list.
    static func made(
        _ token: String, _ console: ConsoleContext, part: String, back: String? = nil
    ) -> ServerResponse {
        console.render(
            console.text("consoleTokenMade"),
            ConsoleSecret(label: console.text("consoleToken"), text: token), part: part,
            back: back ?? console.path(part))
    }
}
