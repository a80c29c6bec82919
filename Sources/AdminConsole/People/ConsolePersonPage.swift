// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage
import WebPages

/// All that there is to know of a person, and what can be done for them.
struct ConsolePersonPage: Sendable {
    private let console: ConsoleContext

    init(_ console: ConsoleContext) { self.console = console }

    static let eventLimit = 12

    /// - Parameters:
    ///   - refusal: of what was just tried.
    ///   - link: The link of an invitation or a re-registration, shown once.
    ///   - typed: what was refused, to be mended.
    func show(
        refusal: AdministrativeRefusal? = nil, link: ConsoleSecret? = nil,
        linkTitle: String = "consoleWayBack", typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let found = try await console.person()
        guard let overview = found.value else {
            return console.refuse(found.refusal, part: "people")
        }
        let person = overview.person
        let sub = person.id.description
        var sections = [facts(person)]
        if let link {
            sections.insert(
                ConsoleSection(
                    title: text(linkTitle), hint: text(linkTitle + "Hint"), secret: link),
                at: 0)
        }
        if console.may(.editPeople), let invitation = invitation(overview, typed) {
            sections.append(invitation)
        }
        sections += [credentials(overview), sessions(overview), installations(overview)]
        if console.may(.seeDevices), let machines = machines(overview.devices) {
            sections.append(machines)
        }
        if console.may(.seeApprovals) {
            sections += try await ConsolePersonApprovals.sections(console, of: sub, typed)
        }
        if console.may(.seeEntitlements) {
            sections += try await ConsolePersonEntitlements(console, typed).sections(of: person)
        }
        if let events = try await events(sub) { sections.append(events) }
        if console.may(.changePeople) { sections.append(actions(person)) }
        return console.render(
            person.claims.name ?? person.username, lead: person.username, part: "people",
            sections: sections, up: console.up(to: "people"), refusal: refusal)
    }

    static func state(_ console: ConsoleContext, _ person: Person) -> ConsoleCell {
        if !person.disabled, let invitedUntil = person.invitedUntil {
            let isExpired = invitedUntil <= console.now
            return ConsoleCell(
                console.text(isExpired ? "consoleInvitationOver" : "consoleInvited"),
                hint: isExpired ? console.when(invitedUntil) : console.until(invitedUntil),
                tone: isExpired ? .bad : .plain)
        }
        return console.state(!person.disabled)
    }

    private func text(_ key: String, _ values: [String: String] = [:]) -> String {
        console.text(key, values)
    }

    private func address(_ person: Person, _ act: String...) -> String {
        ([console.path("people", person.id.description)] + act).joined(separator: "/")
    }

    private func facts(_ person: Person) -> ConsoleSection {
        var facts = [
            ConsoleFact(text("consoleState"), Self.state(console, person)),
            ConsoleFact("sub", ConsoleCell(person.id.description, isCode: true)),
        ]
        func add(_ key: String, _ value: String?, hint: String = "") {
            guard let value, !value.isEmpty else { return }
            facts.append(ConsoleFact(text(key), ConsoleCell(value, hint: hint)))
        }
        let claims = person.claims
        add(
            "consoleEmail", claims.email,
            hint: text(claims.emailVerified == true ? "emailVerified" : "emailUnverified"))
        add("consolePhone", claims.phoneNumber)
        add("consoleGroups", claims.groups?.joined(separator: ", "))
        add("consoleRealm", person.realm)
        add("consoleOrigin", ConsoleField.words(console, person.origin))
        add("consoleMade", console.when(person.createdAt))
        var section = ConsoleSection(facts: facts)
        if console.may(.editPeople) {
            section.links = [
                ConsoleLink(
                    text: text("consolePersonDetailsLink"), href: address(person, "details"),
                    action: "details")
            ]
        }
        return section
    }

    private func credentials(_ overview: PeopleAdministration.Overview) -> ConsoleSection {
        let codes = overview.credentials.filter { $0.kind == .recoveryCode }
        // One row for all recovery codes.
        let shown = overview.credentials.filter { $0.kind != .recoveryCode } + codes.prefix(1)
        let rows = shown.map { credential in
            let isFirst = credential.passwordDetails?.mustChange == true
            let left = text("codesLeft", ["n": String(codes.count)])
            let hint = credential.kind == .recoveryCode ? left : credential.label
            // Of other kinds it is not shown.
            let assurance = credential.kind == .publicKey ? credential.assurance : ""
            return [
                ConsoleCell(
                    text("consoleCredential.\(credential.kind.rawValue)"),
                    hint: isFirst ? text("consoleMustChange") : hint),
                ConsoleCell(assurance.isEmpty ? "–" : text("kind.\(assurance)")),
                ConsoleCell(console.when(credential.createdAt)),
                ConsoleCell(console.when(credential.lastUsedAt)),
            ]
        }
        return ConsoleSection(
            title: text("waysIn"),
            table: ConsoleTable(
                columns: ["consoleKind", "consoleAssurance", "consoleMade", "consoleUsed"]
                    .map { text($0) },
                rows: rows, empty: text("consoleCredentialsNone")))
    }

    private func sessions(_ overview: PeopleAdministration.Overview) -> ConsoleSection {
        let rows = overview.sessions.map { session in
            [
                ConsoleCell(session.device, hint: session.address),
                ConsoleCell(session.authenticationMethods, isCode: true),
                ConsoleCell(console.when(session.authenticatedAt)),
                ConsoleCell(console.when(session.lastSeenAt)),
            ]
        }
        var section = ConsoleSection(
            title: text("sessions"),
            table: ConsoleTable(
                columns: ["consoleBrowser", "consoleHow", "consoleSignedIn", "consoleSeen"]
                    .map { text($0) },
                rows: rows, empty: text("consoleSessionsNone")))
        if console.may(.changePeople), !rows.isEmpty {
            section.forms = [
                ConsoleForm(
                    "sign-out", to: address(overview.person, "sign-out"),
                    button: text("consoleSignOutEverywhere"), weight: .quiet)
            ]
        }
        return section
    }

    private func installations(_ overview: PeopleAdministration.Overview) -> ConsoleSection {
        let mayRemove = console.may(.changePeople)
        let rows = overview.installations.map { installation in
            let id = installation.id.description
            let remove = ConsoleCell(
                text("consoleRemoveLink"),
                href: address(overview.person, "installations", id, "remove"))
            return [
                ConsoleCell(installation.name, hint: id),
                ConsoleCell(ConsoleField.words(console, installation.method)),
                ConsoleCell(console.when(installation.createdAt)),
            ] + (mayRemove ? [remove] : [])
        }
        return ConsoleSection(
            title: text("consoleInstallations"),
            table: ConsoleTable(
                columns: ["consoleName", "consoleMethod", "consoleMade"].map { text($0) }
                    + (mayRemove ? [""] : []),
                rows: rows, empty: text("consoleInstallationsNone")))
    }

    /// Machines that sign them in; nothing where there is none.
    private func machines(_ devices: [Device]) -> ConsoleSection? {
        guard !devices.isEmpty else { return nil }
        let list = ConsoleDeviceRow(console)
        return ConsoleSection(
            title: text("consolePart.devices"),
            table: ConsoleTable(
                columns: list.columns, rows: devices.map(list.cells),
                empty: text("consoleDevicesNone")))
    }

    private func events(_ sub: String) async throws -> ConsoleSection? {
        guard console.may(.seeAudit) else { return nil }
        let found = try await console.call(.listAuditEvents) {
            try await AuditAdministration($0.caller).page(
                ["project": $0.project.name, "person": sub], limit: Self.eventLimit, from: nil)
        }
        guard let events = found.value?.items else { return nil }
        let rows = events.map { ConsoleAuditRow(console, $0.event) }
        let names = try await ConsoleAuditRow.names(in: rows, console)
        return ConsoleSection(
            title: text("events"),
            table: ConsoleTable(
                columns: ConsoleAuditRow.columnsWithoutPerson.map { text($0) },
                rows: rows.map { $0.withoutPerson(names) },
                empty: text("consoleActivityNone")),
            links: [
                ConsoleLink(
                    text: text("consoleAuditAll"),
                    href: console.path("audit") + "?person=\(FormText.encode(sub))")
            ])
    }

    /// For a person without a credential.
    private func invitation(
        _ overview: PeopleAdministration.Overview, _ typed: FormParameters?
    ) -> ConsoleSection? {
        let person = overview.person
        guard !person.disabled, overview.credentials.isEmpty else { return nil }
        let isInvited = person.invitedUntil != nil
        // The page has other forms, which may be the refused one.
        let typed = typed.flatMap { $0["days"] == nil ? nil : $0 }
        let mail = ConsoleInput(
            "mail", text("consoleInviteByMail"), .flag,
            value: typed.map { $0["mail"] ?? "" } ?? "1",
            hint: text("consoleInviteByMailHint"))
        let days = ConsoleInput(
            "days", text("consoleInvitationDays"),
            .choice(["1", "7", "30"].map { ($0, text("consoleInvitationDays.\($0)")) }),
            value: typed?["days"] ?? "7")
        var section = ConsoleSection(
            title: text("consoleInvitation"), hint: text("consoleInvitationLead"))
        section.forms = [
            ConsoleForm(
                "invite", to: address(person, "invitation"),
                button: text(isInvited ? "consoleInviteAgain" : "consoleInvite"),
                inputs: [days, mail])
        ]
        if isInvited {
            section.forms.append(
                ConsoleForm(
                    "withdraw-invitation", to: address(person, "invitation", "withdraw"),
                    button: text("consoleInvitationWithdraw"), weight: .quiet))
        }
        return section
    }

    private func firstPassword(_ person: Person) -> ConsoleForm {
        ConsoleForm(
            "first-password", to: address(person, "first-password"),
            button: text("consoleFirstPasswordSet"), weight: .quiet,
            hint: text("consoleFirstPasswordSetHint"))
    }

    private func actions(_ person: Person) -> ConsoleSection {
        let act = person.disabled ? "enable" : "disable"
        var section = ConsoleSection(title: text("consoleActions"))
        section.forms = [
            ConsoleForm(
                act, to: address(person, act), button: text("consolePerson.\(act)"),
                weight: .quiet, hint: text("consolePerson.\(act)Hint"))
        ]
        if console.may(.takeOverPeople) {
            section.forms.append(
                ConsoleForm(
                    "re-registration", to: address(person, "re-registration"),
                    button: text("consoleWayBackOpen"), weight: .quiet,
                    hint: text("consoleWayBackOpenHint")))
            if person.realm.isEmpty { section.forms.append(firstPassword(person)) }
        }
        section.forms.append(
            ConsoleForm(
                "close-re-registration", to: address(person, "re-registration", "close"),
                button: text("consoleWayBackClose"), weight: .quiet,
                hint: text("consoleWayBackCloseHint")))
        if console.may(.removePeople) {
            section.links = [
                ConsoleLink(
                    text: text("consolePersonRemove"), href: address(person, "remove"),
                    isDanger: true, action: "remove")
            ]
        }
        return section
    }
}

extension ConsoleContext {
    /// The person of the page, or the person with this name.
    func person(
        _ name: String? = nil
    ) async throws -> AdministrativeResult<PeopleAdministration.Overview> {
        try await call(.showPerson) {
            try await PeopleAdministration($0).overview(name ?? self[parameter: "person"])
        }
    }
}
