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
                try await forms(page).change($0, $1)
            },
            // Where the form leads back to that had to ask for a fresh sign-in.
            frame.page(path, page.see) {
                .redirect(to: $0.path(page.part) + SubmittedForm.carried($0))
            },
            frame.form(path + "/undo", page.change, isGrave: page.isGrave) { console, _ in
                try await forms(page).undo(console)
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
        if let undo = details(console, page, rules).undo(console) {
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

    private func details(
        _ console: ConsoleContext, _ page: ConsoleRulesPage, _ rules: JSONValue
    ) -> ConsoleDetails {
        ConsoleDetails(
            thing: name, fields: fields, address: console.path(page.part), shown: rules,
            isWhole: false)
    }

    private func forms(_ page: ConsoleRulesPage) -> ConsoleDetailForms {
        ConsoleDetailForms(
            part: page.part,
            read: { console in
                try await console.ask(show).map { details(console, page, $0) }
            },
            put: { console, changes, _ in
                try await console.ask(put, body: .object(changes))
            }, show: { try await page.show($0, refusal: $1, typed: $2) })
    }
}
