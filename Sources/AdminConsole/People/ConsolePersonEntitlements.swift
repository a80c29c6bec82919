// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
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

    func sections(of sub: String) async throws -> [ConsoleSection] {
        guard let given = try await console.ask(.showEntitlements, [.person: sub]).json
        else { return [] }
        let effective = given["effective"]?.object?.members ?? []
        var section = ConsoleSection(
            title: text("consolePart.entitlement-sets"),
            hint: effective.isEmpty ? text("consoleEntitlementsNone") : "",
            facts: effective.map { ConsoleFact($0.name, ConsoleCell($0.value.text)) }
                + place(given))
        guard console.may(.giveEntitlements) else { return [section] + amounts(given, of: sub) }
        section.forms = [try await form(given, of: sub)]
        return [section] + amounts(given, of: sub)
    }

    private func text(_ key: String, _ values: [String: String] = [:]) -> String {
        console.text(key, values)
    }

    /// Where in a sequence they are.
    private func place(_ given: JSONValue) -> [ConsoleFact] {
        guard let sequence = given["sequence"], let name = sequence["name"]?.string else {
            return []
        }
        let next = console.until(sequence["changes_at"])
        return [ConsoleFact(text("consoleSequence"), ConsoleCell(name, hint: next))]
    }

    // MARK: A set or a sequence

    private static let sequenceMark = "sequence:"

    private func form(_ given: JSONValue, of sub: String) async throws -> ConsoleForm {
        var choices = [(value: "", label: text("consoleNoSet"))]
        for name in try await names(.listEntitlementSets) { choices.append((name, name)) }
        for name in try await names(.listEntitlementSequences) {
            choices.append(
                (Self.sequenceMark + name, text("consoleSequenceNamed", ["name": name])))
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

    private func names(_ operation: AdministrativeOperation) async throws -> [String] {
        let items = try await console.ask(operation).json?["items"]?.array ?? []
        return items.compactMap { $0["name"]?.string }
    }

    private static let set = ConsoleField("set", "consoleSet")
    private static let explicit = ConsoleField("explicit", "consoleExplicit")

    /// What the fields show.
    private static func shown(_ given: JSONValue) -> JSONValue {
        let choice =
            given["sequence"]?["name"]?.string.map { sequenceMark + $0 }
            ?? given["set"]?.string ?? ""
        return ["set": .string(choice), "explicit": .string(given["explicit"]?.text ?? "{}")]
    }

    /// What the form asks for: what was not touched in it stays as it is. `nil` when it is no JSON.
    static func body(_ form: FormParameters, over given: JSONValue) -> JSONObject? {
        let shown = shown(given)
        guard let typed = ConsoleJSON.object(form["explicit"]) else { return nil }
        let isChosen = set.isChanged(from: shown, in: form)
        var body = choice((isChosen ? form["set"] : shown["set"]?.string) ?? "")
        body["explicit"] =
            explicit.isChanged(from: shown, in: form) ? typed : given["explicit"]
        return body
    }

    /// What the form's choice asks for: names of sets and sequences hold no colon.
    private static func choice(_ typed: String) -> JSONObject {
        var body = JSONObject()
        if typed.hasPrefix(sequenceMark) {
            body["sequence"] = .string(String(typed.dropFirst(sequenceMark.count)))
        } else {
            body["set"] = .string(typed)
        }
        return body
    }

    // MARK: Expendable entitlements

    private func amounts(_ given: JSONValue, of sub: String) -> [ConsoleSection] {
        let left = given["expendable"]?.object?.members ?? []
        guard !left.isEmpty || console.may(.giveEntitlements) else { return [] }
        var section = ConsoleSection(
            title: text("consoleExpendable"), hint: text("consoleExpendableHint"),
            facts: left.map { ConsoleFact($0.name, ConsoleCell($0.value.text)) })
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
