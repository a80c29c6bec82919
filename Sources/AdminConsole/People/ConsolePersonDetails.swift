// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderSettings
import Storage

/// Pages that create people and change their claims and groups.
///
/// They take no password: the page of the person creates a first password.
struct ConsolePersonDetails: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsolePeoplePages.path + "/{person}/details"

    var routes: [HTTPRoute] {
        [
            frame.form(ConsolePeoplePages.path + "/create", .editPeople) {
                try await create($0, $1)
            },
            frame.page(Self.path, .editPeople) { try await show($0) },
            frame.form(Self.path + "/change", .editPeople) { try await forms.change($0, $1) },
            frame.form(Self.path + "/undo", .editPeople) { console, _ in
                try await forms.undo(console)
            },
        ]
    }

    /// A button sets `disabled`.
    static let fields = StateKey.personSettings.filter { $0.name != "disabled" }
        .map { ConsoleField($0, in: "users.") }

    /// The fields of the form for a new person.
    private static let first = fields.filter { ["name", "email", "groups"].contains($0.name) }

    static func newPerson(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal? = nil,
        _ typed: FormParameters? = nil
    ) -> ConsoleSection {
        let name = ConsoleField(
            "username", "consoleUserName", hint: "consoleUserNameHint", isRequired: true)
        return ConsoleSection(
            title: console.text("consolePersonNew"), hint: console.text("consolePersonNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("people", "create"),
                    button: console.text("consolePersonCreate"),
                    inputs: ([name] + first).map {
                        $0.input(console, [:], typed: typed, refusal: refusal)
                    })
            ])
    }

    /// New ones only: who is there is changed on their own page.
    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let name = (form["username"] ?? "").trimmed()
        // Before the call: whose roles reach further, of them it says nothing else.
        let isKnown = try await console.person(name).value != nil
        guard !name.isEmpty, !isKnown else {
            return try await ConsolePeoplePages.list(
                console, refusal: .conflict(isKnown ? "person_exists" : "name_missing"),
                typed: form)
        }
        var body = JSONObject()
        for field in Self.first { body[field.name] = field.value(in: form, isWhole: true) }
        let answer = try await console.ask(
            .putPerson, [.person: name], body: .object(body), onlyNew: true)
        if let refusal = answer.refusal {
            return try await ConsolePeoplePages.list(
                console, refusal: refusal.unlessExists("person_exists"), typed: form)
        }
        let made = try await console.person(name).value?.person
        return console.redirect(
            console.path("people", made?.id.description ?? name), done: "personCreated")
    }

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let found = try await console.person()
        guard let person = found.value?.person else {
            return console.refuse(found.refusal, part: "people")
        }
        let forms = details(of: person, console).forms(console, typed: typed, refusal: refusal)
        return console.render(
            console.text("consolePersonDetails"),
            lead: console.text("consolePersonDetailsLead", ["name": person.username]),
            part: "people", sections: [ConsoleSection(forms: forms)],
            up: ConsoleLink(
                text: person.claims.name ?? person.username,
                href: console.path("people", console[parameter: "person"])),
            refusal: refusal)
    }

    private func details(of person: Person, _ console: ConsoleContext) -> ConsoleDetails {
        ConsoleDetails(
            thing: "person/\(person.id)", fields: Self.fields,
            address: console.path("people", console[parameter: "person"], "details"),
            shown: .object(StateExport.object(person)))
    }

    private var forms: ConsoleDetailForms {
        ConsoleDetailForms(
            part: "people",
            read: { console in
                try await console.person().map { details(of: $0.person, console) }
            },
            put: { console, changes, _ in
                try await console.ask(
                    .putPerson, [.person: console[parameter: "person"]], body: .object(changes))
            }, show: { try await show($0, refusal: $1, typed: $2) })
    }
}
