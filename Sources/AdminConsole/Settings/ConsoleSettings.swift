// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration

/// A part of a project's rules that there is one of: a form, or what it says for those who may
/// only look. The last change can be taken back.
struct ConsoleSettings: Sendable {
    /// Below the page's address, and the end of the keys of its texts: `consoleSettings.NAME.…`.
    var name: String
    var show: AdministrativeOperation
    var put: AdministrativeOperation
    var fields: [ConsoleField]
    /// Returns a warning that the page displays in addition to the settings.
    var warning: @Sendable (ConsoleContext, JSONValue) -> ConsoleFact? = { _, _ in nil }

    func routes(_ page: ConsoleRulesPage, _ frame: ConsoleRouteGuard) -> [HTTPRoute] {
        let path = page.path + "/" + name
        return [
            frame.form(path, page.change, isGrave: page.isGrave) {
                try await save($0, $1, of: page)
            },
            // Where the form leads back to that had to ask for a fresh sign-in.
            frame.page(path, page.see) {
                .redirect(to: $0.path(page.part) + SubmittedForm.carried($0))
            },
            frame.form(path + "/undo", page.change, isGrave: page.isGrave) { console, _ in
                try await undo(console, of: page)
            },
        ]
    }

    func section(
        _ console: ConsoleContext, of page: ConsoleRulesPage, refusal: AdministrativeRefusal?,
        typed: FormParameters?
    ) async throws -> AdministrativeResult<ConsoleSection> {
        try await console.ask(show).map {
            section(console, of: page, $0, refusal: refusal, typed: typed)
        }
    }

    private func section(
        _ console: ConsoleContext, of page: ConsoleRulesPage, _ rules: JSONValue,
        refusal: AdministrativeRefusal?, typed: FormParameters?
    ) -> ConsoleSection {
        var section = ConsoleSection(
            title: console.text("consoleSettings.\(name).title"),
            hint: console.text("consoleSettings.\(name).lead"),
            facts: storedSecrets(console, rules) + [warning(console, rules)].compactMap(\.self))
        guard console.may(page.change) else {
            section.facts += fields.compactMap { $0.fact(console, rules) }
            return section
        }
        let typed = typed.flatMap { $0["settings"] == name ? $0 : nil }
        section.forms = [
            ConsoleForm(
                name, to: console.path(page.part, name), button: console.text("save"),
                inputs: [
                    ConsoleInput("settings", "", .hidden, value: name),
                    FormSnapshot.input(fields, of: rules, typed: typed),
                ]
                    + fields.map {
                        $0.input(
                            console, rules, typed: typed, refusal: typed == nil ? nil : refusal)
                    })
        ]
        if let undo = ConsoleUndo(of: console), undo.settings == name,
            undo.fits(rules, console)
        {
            section.forms.append(
                undo.form(to: console.path(page.part, name, "undo"), of: fields, console))
        }
        return section
    }

    /// Of secrets only whether there is one.
    private func storedSecrets(_ console: ConsoleContext, _ rules: JSONValue) -> [ConsoleFact] {
        fields.compactMap { field in
            guard case .secret = field.kind else { return nil }
            let isKept = rules["has_\(field.name)"]?.bool == true
            return ConsoleFact(
                console.text(field.label),
                ConsoleCell(
                    console.text(isKept ? "consoleSecretThere" : "consoleSecretMissing"),
                    tone: isKept ? .good : .plain))
        }
    }

    private func save(
        _ console: ConsoleContext, _ form: FormParameters, of page: ConsoleRulesPage
    ) async throws -> ServerResponse {
        let before = try await console.ask(show).value ?? .null
        var body = JSONObject()
        for field in fields where field.isChanged(from: before, in: form) {
            body[field.name] = field.value(in: form, isWhole: false)
        }
        let answer = try await console.ask(put, body: .object(body))
        if let refusal = answer.refusal {
            return try await page.show(console, refusal: refusal, typed: form)
        }
        var response = console.redirect(console.path(page.part), done: "saved")
        let after = try await console.ask(show).value ?? .null
        let names = fields.map(\.name)
        if let undo = ConsoleUndo(name, names: names, from: before, to: after, console) {
            undo.save(console, in: &response)
        }
        return response
    }

    private func undo(
        _ console: ConsoleContext, of page: ConsoleRulesPage
    ) async throws -> ServerResponse {
        let now = try await console.ask(show).value ?? .null
        guard let undo = ConsoleUndo(of: console), undo.settings == name,
            undo.fits(now, console)
        else { return try await page.show(console, refusal: .conflict("nothing_to_undo")) }
        let answer = try await console.ask(put, body: .object(undo.before))
        if let refusal = answer.refusal { return try await page.show(console, refusal: refusal) }
        var response = console.redirect(console.path(page.part), done: "undone")
        ConsoleUndo.forget(console, in: &response)
        return response
    }
}
