// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// The people of a project, by name, and one of them.
struct ConsolePeoplePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    static let path = ConsoleRouteGuard.project + "/people"

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .seePeople) { try await Self.list($0) },
            frame.page(Self.path + "/{person}", .seePeople) {
                try await ConsolePersonPage($0).show()
            },
        ]
    }

    /// Costs the same on every page, however many people there are: four questions to the store.
    static func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listPeople, address: console.path("people"),
            columns: ["consoleUserName", "consoleEmail", "consoleState", "consoleMade"]
                .map { console.text($0) },
            empty: console.text("consolePeopleNone")
        ).searched(console, none: "consolePeopleNotFound")
        let found = try await list.read(
            console, { PeopleAdministration($0).list(startingWith: console.search) }
        ) { row(console, $0) }
        guard let table = found.value else { return console.refuse(found.refusal, part: "people") }
        return console.render(
            console.text("consolePart.people"), part: "people",
            sections: [
                ConsoleSection(
                    filters: [list.filter(console, "consoleSearchPeople")], table: table),
                ConsoleSection(facts: [registration(console)]),
            ]
                + (console.may(.editPeople)
                    ? [ConsolePersonDetails.newPerson(console, refusal, typed)] : []),
            refusal: refusal)
    }

    /// Whether people may make an account, with the way to the switch for those who may see it.
    static func registration(_ console: ConsoleContext) -> ConsoleFact {
        let isOpen = console.tenant?.project.policy.selfRegistration ?? false
        return ConsoleFact(
            console.text("consoleSelfRegistration"),
            ConsoleCell(
                console.text(isOpen ? "consoleYes" : "consoleNo"),
                href: console.may(.seeTokenPolicy) ? console.path("registration") : nil))
    }

    private static func row(_ console: ConsoleContext, _ person: Person) -> [ConsoleCell] {
        let email = person.claims.email ?? ""
        let isVerified = person.claims.emailVerified == true
        return [
            name(console, person),
            ConsoleCell(
                email, hint: email.isEmpty || isVerified ? "" : console.text("emailUnverified")),
            ConsolePersonPage.state(console, person),
            ConsoleCell(console.when(person.createdAt)),
        ]
    }

    static func name(_ console: ConsoleContext, _ person: Person) -> ConsoleCell {
        ConsoleCell(
            person.username,
            hint: person.realm.isEmpty ? person.claims.name ?? "" : person.realm,
            href: console.may(.seePeople) ? console.path("people", person.id.description) : nil)
    }
}
