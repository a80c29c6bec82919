// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderInstallations
import Storage

/// A set of entitlements for many people: who it would change is shown first, then it is done, a
/// batch at a time.
struct ConsoleManyPeoplePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "entitlement-sets"
    private static let path = ConsoleRouteGuard.project + "/" + part + "/{set}/people"
    private static let ways = ["give", "take"]

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .giveEntitlements) { try await ask($0) },
            frame.form(Self.path + "/preview", .giveEntitlements) {
                try await change($0, $1, isDry: true)
            },
            frame.form(Self.path + "/apply", .giveEntitlements) {
                try await change($0, $1, isDry: false)
            },
        ]
    }

    private func address(_ console: ConsoleContext, _ act: String) -> String {
        console.path(Self.part, console[parameter: "set"], "people", act)
    }

    private func ask(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let name = console[parameter: "set"]
        if let refusal = try await ConsoleEntitlementPages.set(name, console).refusal {
            return console.refuse(refusal, part: Self.part)
        }
        let ways = Self.ways.map { (value: $0, label: console.text("consoleWay.\($0)")) }
        let form = ConsoleForm(
            "preview", to: address(console, "preview"), button: console.text("consolePreview"),
            inputs: [
                ConsoleInput(
                    "way", console.text("consoleWay"), .choice(ways), value: typed?["way"] ?? "give"
                ),
                ConsoleInput(
                    "search", console.text("consoleNamesBeginning"), value: typed?["search"] ?? "",
                    hint: console.text("consoleNamesBeginningHint"), limit: 254),
                ConsoleInput(
                    "having", console.text("consoleHaving"), value: typed?["having"] ?? "",
                    hint: console.text("consoleHavingHint"), limit: 128),
                ConsoleInput(
                    "people", console.text("consoleNamed"), .area, value: typed?["people"] ?? "",
                    hint: console.text("consoleNamedHint"), limit: 32_768),
            ])
        return render(console, [ConsoleSection(forms: [form])], refusal: refusal)
    }

    private func render(
        _ console: ConsoleContext, _ sections: [ConsoleSection],
        refusal: AdministrativeRefusal? = nil
    ) -> ServerResponse {
        console.render(
            console.text("consoleManyPeople", ["name": console[parameter: "set"]]),
            lead: console.text("consoleManyPeopleLead"), part: Self.part, sections: sections,
            up: console.up(to: Self.part), refusal: refusal)
    }

    private func change(
        _ console: ConsoleContext, _ form: FormParameters, isDry: Bool
    ) async throws -> ServerResponse {
        let operation: AdministrativeOperation =
            form["way"] == "take" ? .takeEntitlementSet : .giveEntitlementSet
        let answer = try await console.call(operation) {
            try await BulkEntitlementAdministration($0).change(
                console[parameter: "set"], isGiven: operation == .giveEntitlementSet,
                .object(Self.body(form, isDry: isDry)))
        }
        guard let batch = answer.value else {
            return try await ask(console, refusal: answer.refusal, typed: form)
        }
        let words = ["count": String(batch.changed)]
        var section = ConsoleSection(
            title: console.text(isDry ? "consoleWouldChange" : "consoleHasChanged", words),
            table: table(console, batch.results))
        if isDry, batch.changed > 0 || batch.next != nil {
            section.hint = batch.next == nil ? "" : console.text("consoleAndMore")
            section.forms = [again(console, form, cursor: nil, button: "consoleDoIt")]
        } else if let next = batch.next {
            section.forms = [again(console, form, cursor: next, button: "consoleGoOn")]
        }
        section.links = [
            ConsoleLink(
                text: console.text("consoleBack"),
                href: console.path(Self.part, console[parameter: "set"], "people"))
        ]
        return render(console, [section])
    }

    /// The same question once more, from there on.
    private func again(
        _ console: ConsoleContext, _ form: FormParameters, cursor: String?, button: String
    ) -> ConsoleForm {
        let kept = ["way", "search", "having", "people"].map {
            ConsoleInput($0, "", .hidden, value: form[$0] ?? "")
        }
        return ConsoleForm(
            "apply", to: address(console, "apply"), button: console.text(button),
            inputs: kept + [ConsoleInput("cursor", "", .hidden, value: cursor ?? "")])
    }

    private func table(
        _ console: ConsoleContext, _ results: [BulkEntitlements.Result]
    ) -> ConsoleTable {
        let rows = results.enumerated().map { index, result in
            let before = result.before.map { $0.place?.sequence ?? $0.set } ?? ""
            let outcome = result.outcome
            let person = console.may(.seePeople) ? result.subject.person : nil
            return [
                ConsoleCell(String(index + 1)),
                ConsoleCell(
                    result.subject.name,
                    href: person.map { console.path("people", $0.id.description) }),
                ConsoleCell(before.isEmpty ? "–" : before),
                ConsoleCell(
                    console.text("consoleOutcome.\(outcome.rawValue)"),
                    tone: outcome == .changed ? .good : outcome == .unknown ? .bad : .plain),
            ]
        }
        return ConsoleTable(
            columns: ["consoleNumber", "consoleUserName", "consoleBefore", "consoleOutcome"]
                .map { console.text($0) },
            rows: rows, empty: console.text("consoleNobodyFits"))
    }

    private static func body(_ form: FormParameters, isDry: Bool) -> JSONObject {
        var body = JSONObject()
        body["dry_run"] = .bool(isDry)
        let names = ConsoleField.lines(form["people"] ?? "")
        guard names.isEmpty else {
            body["people"] = .array(names.map(JSONValue.string))
            return body
        }
        var filter = JSONObject()
        for (field, member) in [("search", "search"), ("having", "set")] {
            let typed = (form[field] ?? "").trimmed()
            if !typed.isEmpty { filter[member] = .string(typed) }
        }
        body["filter"] = .object(filter)
        let cursor = form["cursor"] ?? ""
        if !cursor.isEmpty { body["cursor"] = .string(cursor) }
        return body
    }
}
