// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// All that there is to know of a person, and what can be done for them.
struct ConsolePersonPage: Sendable {
    private let console: ConsoleContext

    init(_ console: ConsoleContext) { self.console = console }

    static let eventLimit = "12"

    /// - Parameters:
    ///   - refusal: of what was just tried.
    ///   - link: The link of an invitation or a re-registration, shown once.
    ///   - typed: what was refused, to be mended.
    func show(
        refusal: AdminResponse? = nil, link: ConsoleSecret? = nil,
        linkTitle: String = "consoleWayBack", typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let name = console[parameter: "person"]
        let answer = try await console.ask(.showPerson, [.person: name])
        guard let person = answer.json else { return console.complain(answer, part: "people") }
        var sections = [facts(person)]
        if let link {
            sections.insert(
                ConsoleSection(
                    title: text(linkTitle), hint: text(linkTitle + "Hint"), secret: link),
                at: 0)
        }
        if console.may(.editPeople), let invitation = invitation(person) {
            sections.append(invitation)
        }
        sections += [credentials(person), sessions(person), installations(person)]
        if console.may(.seeDevices), let machines = machines(person) { sections.append(machines) }
        if console.may(.seeApprovals) {
            sections += try await ConsolePersonApprovals.sections(console, person, typed)
        }
        if console.may(.seeEntitlements) {
            sections += try await ConsolePersonEntitlements(console, typed).sections(of: person)
        }
        if let events = try await events(person) { sections.append(events) }
        if console.may(.changePeople) { sections.append(actions(person)) }
        return console.render(
            person["name"]?.string ?? person["username"]?.string ?? "",
            lead: person["username"]?.string ?? "", part: "people", sections: sections,
            up: ConsoleLink(text: text("consolePart.people"), href: console.path("people")),
            refusal: refusal)
    }

    static func state(_ console: ConsoleContext, _ person: JSONValue) -> ConsoleCell {
        let isDisabled = person["disabled"]?.bool == true
        if !isDisabled, let end = person["invited_until"]?.string {
            let isOver = end <= console.visit.now.rfc3339
            let date = person["invited_until"]
            return ConsoleCell(
                console.text(isOver ? "consoleInvitationOver" : "consoleInvited"),
                hint: isOver ? console.when(date) : console.until(date),
                tone: isOver ? .bad : .plain)
        }
        return ConsoleCell(
            console.text(isDisabled ? "consoleDisabled" : "consoleActive"),
            tone: isDisabled ? .bad : .good)
    }

    private func text(_ key: String, _ values: [String: String] = [:]) -> String {
        console.text(key, values)
    }

    private func address(_ person: JSONValue, _ act: String...) -> String {
        ([console.path("people", person["sub"]?.string ?? "")] + act).joined(separator: "/")
    }

    private func facts(_ person: JSONValue) -> ConsoleSection {
        var facts = [
            ConsoleFact(text("consoleState"), Self.state(console, person)),
            ConsoleFact("sub", ConsoleCell(person["sub"]?.string ?? "", isCode: true)),
        ]
        func add(_ key: String, _ value: String?, hint: String = "") {
            guard let value, !value.isEmpty else { return }
            facts.append(ConsoleFact(text(key), ConsoleCell(value, hint: hint)))
        }
        let isVerified = person["email_verified"]?.bool == true
        add(
            "consoleEmail", person["email"]?.string,
            hint: text(isVerified ? "emailVerified" : "emailUnverified"))
        add("consolePhone", person["phone_number"]?.string)
        add("consoleGroups", person["groups"]?.strings?.joined(separator: ", "))
        add("consoleRealm", person["realm"]?.string)
        add("consoleOrigin", person["origin"]?.string)
        add("consoleMade", console.when(person["created_at"]))
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

    private func credentials(_ person: JSONValue) -> ConsoleSection {
        let rows = (person["credentials"]?.array ?? []).map { credential in
            let kind = credential["kind"]?.string ?? ""
            let isFirst = credential["must_change"]?.bool == true
            let assurance = credential["assurance"]?.string ?? ""
            return [
                ConsoleCell(
                    text("consoleCredential.\(kind)"),
                    hint: isFirst
                        ? text("consoleMustChange") : credential["label"]?.string ?? ""),
                ConsoleCell(assurance.isEmpty ? "–" : text("kind.\(assurance)")),
                ConsoleCell(console.when(credential["created_at"])),
                ConsoleCell(console.when(credential["last_used_at"])),
            ]
        }
        return ConsoleSection(
            title: text("waysIn"),
            table: ConsoleTable(
                columns: ["consoleKind", "consoleAssurance", "consoleMade", "consoleUsed"]
                    .map { text($0) },
                rows: rows, empty: text("consoleCredentialsNone")))
    }

    private func sessions(_ person: JSONValue) -> ConsoleSection {
        let all = person["sessions"]?.array ?? []
        let rows = all.map { session in
            [
                ConsoleCell(
                    session["device"]?.string ?? "", hint: session["address"]?.string ?? ""),
                ConsoleCell(session["authentication_methods"]?.string ?? "", isCode: true),
                ConsoleCell(console.when(session["signed_in_at"])),
                ConsoleCell(console.when(session["last_seen_at"])),
            ]
        }
        var section = ConsoleSection(
            title: text("sessions"),
            table: ConsoleTable(
                columns: ["consoleBrowser", "consoleHow", "consoleSignedIn", "consoleSeen"]
                    .map { text($0) },
                rows: rows, empty: text("consoleSessionsNone")))
        if console.may(.changePeople), !all.isEmpty {
            section.forms = [
                ConsoleForm(
                    "sign-out", to: address(person, "sign-out"),
                    button: text("consoleSignOutEverywhere"), weight: .quiet)
            ]
        }
        return section
    }

    private func installations(_ person: JSONValue) -> ConsoleSection {
        let mayRemove = console.may(.changePeople)
        let rows = (person["installations"]?.array ?? []).map { installation in
            let id = installation["id"]?.string ?? ""
            let remove = ConsoleCell(
                text("consoleRemoveLink"),
                href: address(person, "installations", FormText.encode(id), "remove"))
            return [
                ConsoleCell(installation["name"]?.string ?? "", hint: id),
                ConsoleCell(installation["method"]?.string ?? "", isCode: true),
                ConsoleCell(console.when(installation["registered_at"])),
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
    private func machines(_ person: JSONValue) -> ConsoleSection? {
        guard let machines = person["devices"]?.array, !machines.isEmpty else { return nil }
        let list = ConsoleDeviceRow(console)
        return ConsoleSection(
            title: text("consolePart.devices"),
            table: ConsoleTable(
                columns: list.columns, rows: machines.map(list.cells),
                empty: text("consoleDevicesNone")))
    }

    private func events(_ person: JSONValue) async throws -> ConsoleSection? {
        guard console.may(.seeAudit), let name = console.tenant?.project.name,
            let sub = person["sub"]?.string
        else { return nil }
        let query = ["project": name, "person": sub, "limit": Self.eventLimit]
        guard
            let events = try await console.ask(.listAuditEvents, query: query).json?["items"]?
                .array
        else { return nil }
        let rows = events.map { ConsoleAuditRow(console, $0) }
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
    private func invitation(_ person: JSONValue) -> ConsoleSection? {
        guard person["disabled"]?.bool != true, person["credentials"]?.array?.isEmpty != false
        else { return nil }
        let isInvited = person["invited_until"]?.string != nil
        let mail = ConsoleInput(
            "mail", text("consoleInviteByMail"), .flag, value: "1",
            hint: text("consoleInviteByMailHint"))
        let days = ConsoleInput(
            "days", text("consoleInvitationDays"),
            .choice(["1", "7", "30"].map { ($0, text("consoleInvitationDays.\($0)")) }), value: "7")
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

    private func firstPassword(_ person: JSONValue) -> ConsoleForm {
        ConsoleForm(
            "first-password", to: address(person, "first-password"),
            button: text("consoleFirstPasswordSet"), weight: .quiet,
            hint: text("consoleFirstPasswordSetHint"))
    }

    private func actions(_ person: JSONValue) -> ConsoleSection {
        let isDisabled = person["disabled"]?.bool == true
        let act = isDisabled ? "enable" : "disable"
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
            if person["realm"] == nil { section.forms.append(firstPassword(person)) }
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
