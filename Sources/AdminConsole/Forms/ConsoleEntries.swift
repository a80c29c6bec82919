// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderSettings
import Storage

/// A list of named entries in a project's settings: a table, a form for a new entry, and for each
/// entry a page with a form and a button to remove it.
struct ConsoleEntries: Sendable {
    /// Below the page's address, and the end of the keys of its texts: `consoleEntries.KIND.…`,
    /// `consoleRemoval.KIND.…`.
    var kind: String
    var operations: EntryOperations
    /// The parameter of the operations that is the name.
    var parameter: AdministrativeOperation.Parameter
    /// The member that is the name.
    var key: String
    /// Label of the name: a key of a text.
    var label: String
    /// What the list shows besides: label and member.
    var columns: [Column]
    /// The name is not among them.
    var fields: [ConsoleField]
    /// Those that are asked of a new one; the others are on its page once it is there. `nil`: all.
    var first: [String]?
    /// What is asked of a new one besides, and never changes.
    var fixed: [ConsoleField] = []
    /// What the Admin API shows and does not take.
    var readOnly: [String] = []
    /// Whether the administrator who adds an entry is stored as its `owner`.
    var hasOwner = false

    struct Column: Sendable {
        var label: String
        var cell: @Sendable (ConsoleContext, JSONValue) -> ConsoleCell

        /// A text, or texts.
        static func text(_ name: String, label: String, isCode: Bool = false) -> Column {
            Column(label: label) { _, entry in
                let text = entry[name]?.string ?? entry[name]?.strings?.joined(separator: " · ")
                return ConsoleCell(text.flatMap { $0.isEmpty ? nil : $0 } ?? "–", isCode: isCode)
            }
        }

        static func text(_ name: String, of list: ProjectList, isCode: Bool = false) -> Column {
            text(name, label: StateKey.text("\(list.name).\(name)"), isCode: isCode)
        }

        static let state = Column(label: "consoleState") { console, entry in
            console.state(entry["enabled"]?.bool == true)
        }
    }

    // MARK: The list

    func section(
        _ console: ConsoleContext, of page: ConsoleRulesPage, refusal: AdministrativeRefusal?,
        typed: FormParameters?
    ) async throws -> AdministrativeResult<ConsoleSection> {
        try await console.ask(operations.list).map { entries in
            let rows = (entries["items"]?.array ?? []).map { entry in
                let name = entry[key]?.string ?? ""
                return [ConsoleCell(name, href: console.path(page.part, kind, name))]
                    + columns.map { $0.cell(console, entry) }
            }
            var section = ConsoleSection(
                title: words(console, "title"), hint: words(console, "lead"),
                table: ConsoleTable(
                    columns: ([label] + columns.map(\.label)).map { console.text($0) },
                    rows: rows, empty: words(console, "none")))
            if console.may(page.change) {
                section.forms = [newForm(console, page, refusal, typed)]
            }
            return section
        }
    }

    private func newForm(
        _ console: ConsoleContext, _ page: ConsoleRulesPage, _ refusal: AdministrativeRefusal?,
        _ typed: FormParameters?
    ) -> ConsoleForm {
        let typed = typed.flatMap { $0["kind-of-entry"] == kind ? $0 : nil }
        let name = ConsoleField(key, label, isRequired: true)
        return ConsoleForm(
            "create-\(kind)", to: console.path(page.part, kind, "create"),
            button: words(console, "create"),
            inputs: [ConsoleInput("kind-of-entry", "", .hidden, value: kind)]
                + ([name] + fixed + fields.filter(isAsked).map(\.ofNewEntry))
                .map {
                    $0.input(
                        console, blank, typed: typed, refusal: typed == nil ? nil : refusal)
                })
    }

    private func isAsked(_ field: ConsoleField) -> Bool {
        first?.contains(field.name) ?? true
    }

    private var blank: JSONValue { ["enabled": true] }

    // MARK: One

    func show(
        _ console: ConsoleContext, of page: ConsoleRulesPage, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let name = console[parameter: "name"]
        let answer = try await console.ask(operations.show, [parameter: name])
        guard let entry = answer.value else {
            return console.refuse(answer.refusal, part: page.part)
        }
        let up = console.up(to: page.part)
        let shown =
            readOnly.compactMap { ConsoleField($0, "consoleMember.\($0)").fact(console, entry) }
            + fixed.compactMap { $0.fact(console, entry) }
            + (hasOwner
                ? [ConsoleFact(console.text("consoleOwner"), ConsoleCell(owner(entry)))] : [])
        guard console.may(page.change) else {
            let facts = shown + fields.compactMap { $0.fact(console, entry) }
            return console.render(
                name, part: page.part, sections: [ConsoleSection(facts: facts)], up: up,
                refusal: refusal)
        }
        let forms = details(console, page, entry)
            .forms(console, typed: typed, refusal: refusal)
        let removal = ConsoleLink(
            text: console.text("consoleRemoval.\(kind).button"),
            href: console.path(page.part, kind, name, "remove"), isDanger: true, action: "remove")
        return console.render(
            name, part: page.part,
            sections: (shown.isEmpty ? [] : [ConsoleSection(facts: shown)]) + [
                ConsoleSection(title: words(console, "change"), forms: forms),
                ConsoleSection(title: console.text("consoleActions"), links: [removal]),
            ], up: up, refusal: refusal)
    }

    private func owner(_ entry: JSONValue) -> String {
        entry["owner"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "–"
    }

    // MARK: What forms do

    /// New ones only: what exists is changed on its own page.
    func create(
        _ console: ConsoleContext, _ form: FormParameters, of page: ConsoleRulesPage
    ) async throws -> ServerResponse {
        let name = (form[key] ?? "").trimmed()
        guard !name.isEmpty else {
            return try await page.show(console, refusal: .conflict("name_missing"), typed: form)
        }
        var body = JSONObject()
        if fields.contains(where: { $0.name == "enabled" }) { body["enabled"] = true }
        for field in fixed + fields.filter(isAsked) {
            body[field.name] = field.value(in: form, isWhole: true)
        }
        if hasOwner { body["owner"] = .string(console.authority.person.username) }
        let answer = try await console.ask(
            operations.put, [parameter: name], body: .object(body), onlyNew: true)
        if let refusal = answer.refusal {
            return try await page.show(
                console, refusal: refusal.unlessExists("entry_exists"), typed: form)
        }
        return console.redirect(console.path(page.part, kind, name), done: "saved")
    }

    func forms(_ page: ConsoleRulesPage) -> ConsoleDetailForms {
        ConsoleDetailForms(
            part: page.part,
            read: { console in
                try await ask(console, operations.show).map { details(console, page, $0) }
            }, put: { try await put($0, $1, to: $2) },
            show: { try await show($0, of: page, refusal: $1, typed: $2) })
    }

    private func details(
        _ console: ConsoleContext, _ page: ConsoleRulesPage, _ entry: JSONValue
    ) -> ConsoleDetails {
        let name = entry[key]?.string ?? ""
        return ConsoleDetails(
            thing: "\(kind)/\(name)", fields: fields,
            address: console.path(page.part, kind, name), shown: entry)
    }

    private func ask(
        _ console: ConsoleContext, _ operation: AdministrativeOperation,
        body: JSONValue = .null, onlyOver: JSONValue? = nil
    ) async throws -> AdministrativeResult<JSONValue> {
        try await console.ask(
            operation, [parameter: console[parameter: "name"]], body: body, onlyOver: onlyOver)
    }

    /// The Admin API takes an entry whole: members that have no field are sent as they are.
    private func put(
        _ console: ConsoleContext, _ changes: JSONObject, to entry: JSONValue
    ) async throws -> AdministrativeResult<JSONValue> {
        var body = entry.object ?? JSONObject()
        for name in readOnly + [key] { body[name] = nil }
        return try await ask(
            console, operations.put, body: .object(body.merging(changes)), onlyOver: entry)
    }

    func removal(_ page: ConsoleRulesPage) -> ConsoleRemoval {
        ConsoleRemoval(
            pattern: page.path + "/\(kind)/{name}/remove", action: page.change, part: page.part,
            name: kind, operation: operations.remove,
            find: { console in
                let name = console[parameter: "name"]
                return try await console.ask(operations.show, [parameter: name]).map { entry in
                    ConsoleRemoval.Target(
                        word: name, page: console.path(page.part, kind, name),
                        list: console.path(page.part),
                        document: entry.object ?? JSONObject())
                }
            }, act: { try await ask($0, operations.remove) })
    }

    private func words(_ console: ConsoleContext, _ what: String) -> String {
        console.text("consoleEntries.\(kind).\(what)")
    }
}
