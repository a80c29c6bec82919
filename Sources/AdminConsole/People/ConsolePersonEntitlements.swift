// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderPeople
import Storage
import WebPages

/// The entitlements of a person on the person's page, with the remaining amounts.
struct ConsolePersonEntitlements: Sendable {
    private let console: ConsoleContext
    /// The form that was refused, displayed again for correction.
    private let typed: FormParameters?

    init(_ console: ConsoleContext, _ typed: FormParameters?) {
        self.console = console
        self.typed = typed
    }

    func sections(of person: Person) async throws -> [ConsoleSection] {
        let found = try await console.read(.showEntitlements) {
            try await PersonalEntitlementAdministration($0, person).overview()
        }
        guard let overview = found.value ?? nil else { return [] }
        let (given, sub) = (overview.given, person.id.description)
        let effective = given.effective.json.members
        var section = ConsoleSection(
            title: text("consolePart.entitlement-sets"),
            hint: effective.isEmpty ? text("consoleEntitlementsNone") : "",
            facts: effective.map { ConsoleFact($0.name, ConsoleCell($0.value.text)) }
                + place(given))
        let amounts = amounts(overview.expendables, of: sub)
        guard console.may(.giveEntitlements) else { return [section] + amounts }
        section.forms = [try await form(given, of: sub)]
        return [section] + amounts
    }

    private func text(_ key: String, _ values: [String: String] = [:]) -> String {
        console.text(key, values)
    }

    /// Where in a sequence they are.
    private func place(_ given: PersonalEntitlements) -> [ConsoleFact] {
        guard let place = given.place else { return [] }
        let next = place.changesAt.map { console.until($0) } ?? ""
        return [ConsoleFact(text("consoleSequence"), ConsoleCell(place.sequence, hint: next))]
    }

    // MARK: A set or a sequence

    private static let sequenceMark = "sequence:"

    private func form(_ given: PersonalEntitlements, of sub: String) async throws -> ConsoleForm {
        let sets = try await console.call(.listEntitlementSets) {
            try await EntitlementSetAdministration($0).sets().page()
        }
        let sequences = try await console.call(.listEntitlementSequences) {
            try await EntitlementSetAdministration($0).sequences().page()
        }
        let choices =
            [(value: "", label: text("consoleNoSet"))]
            + (sets.value?.items ?? []).map { ($0.name, $0.name) }
            + (sequences.value?.items ?? []).map {
                (Self.sequenceMark + $0.name, text("consoleSequenceNamed", ["name": $0.name]))
            }
        let shown = Self.shown(given)
        return ConsoleForm(
            "entitlements", to: console.path("people", sub, "entitlements"),
            button: text("save"), weight: .quiet,
            inputs: [
                FormSnapshot.input([Self.set, Self.explicit], of: shown, typed: typed),
                ConsoleInput(
                    "set", text("consoleSet"), .choice(choices),
                    value: typed?["set"] ?? shown["set"]?.string ?? ""),
                ConsoleInput(
                    "explicit", text("consoleExplicit"),
                    value: typed?["explicit"] ?? shown["explicit"]?.string ?? "",
                    hint: text("consoleExplicitHint"), limit: 8192),
            ])
    }

    private static let set = ConsoleField("set", "consoleSet")
    private static let explicit = ConsoleField("explicit", "consoleExplicit")

    /// What the fields show.
    private static func shown(_ given: PersonalEntitlements) -> JSONValue {
        let choice = given.place.map { sequenceMark + $0.sequence } ?? given.set
        let explicit = EntitlementValues(stored: given.explicit).text
        return ["set": .string(choice), "explicit": .string(explicit)]
    }

    /// What the form asks for: what was not touched in it stays as it is.
    static func assignment(
        _ form: FormParameters, over given: PersonalEntitlements
    ) -> AdministrativeResult<PersonalEntitlementAdministration.Assignment> {
        guard let typed = ConsoleJSON.object(form["explicit"])?.object else {
            return .failure(.conflict("invalid_json"))
        }
        let shown = shown(given)
        let isChosen = set.isChanged(from: shown, in: form)
        let choice = (isChosen ? form["set"] : shown["set"]?.string) ?? ""
        var values = EntitlementValues(stored: given.explicit)
        if explicit.isChanged(from: shown, in: form) {
            do throws(EntitlementValues.ParseError) { values = try EntitlementValues(typed) } catch
            {
                return .failure(.invalid("invalid_entitlements", error.message))
            }
        }
        // Names of sets and sequences hold no colon.
        guard choice.hasPrefix(sequenceMark) else {
            return .success(.init(set: choice, sequence: "", explicit: values))
        }
        let sequence = String(choice.dropFirst(sequenceMark.count))
        return .success(.init(set: "", sequence: sequence, explicit: values))
    }

    // MARK: Expendable entitlements

    private func amounts(_ left: [String: Int64], of sub: String) -> [ConsoleSection] {
        guard !left.isEmpty || console.may(.giveEntitlements) else { return [] }
        var section = ConsoleSection(
            title: text("consoleExpendable"), hint: text("consoleExpendableHint"),
            facts: left.sorted { $0.key < $1.key }
                .map { ConsoleFact($0.key, ConsoleCell(String($0.value))) })
        guard console.may(.giveEntitlements) else { return [section] }
        let request = Identifier<Self>(
            now: console.now, random: console.visit.pages.provider.random)
        section.forms = [
            ConsoleForm(
                "refill", to: console.path("people", sub, "expendable"),
                button: text("consoleRefill"), weight: .quiet,
                inputs: [
                    ConsoleInput("request_id", "", .hidden, value: request.description),
                    ConsoleInput(
                        "amounts", text("consoleAmounts"), .area, value: typed?["amounts"] ?? "",
                        hint: text("consoleAmountsHint"), isRequired: true, limit: 4096),
                ])
        ]
        return [section]
    }

    /// `name = number`, each on a line; what is no number stays text, for the Admin API to refuse.
    static func amounts(in form: FormParameters) -> JSONValue {
        let pairs = ConsoleField("amounts", "", .pairs).value(in: form, isWhole: true)
        let members = (pairs?.object?.members ?? []).map { pair in
            JSONObject.Member(
                name: pair.name,
                value: pair.value.string.flatMap { Int64($0) }.map(JSONValue.integer)
                    ?? pair.value)
        }
        return .object(JSONObject(members))
    }
}
