// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderPeople
import Storage

/// Entitlement sets: what people can be given.
struct ConsoleEntitlementPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/entitlement-sets"

    var routes: [HTTPRoute] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/{set}/remove", action: .changeEntitlementSets,
            part: "entitlement-sets", name: "entitlementSet", operation: .removeEntitlementSet,
            find: { console in
                let name = console[parameter: "set"]
                return try await Self.set(name, console).map {
                    ConsoleRemoval.Target(
                        word: name, list: console.path("entitlement-sets"),
                        document: StateExport.object($0))
                }
            })
        return [
            frame.page(Self.path, .seeEntitlements) { try await list($0) },
            frame.form(Self.path + "/save", .changeEntitlementSets) { try await save($0, $1) },
        ] + removal.routes(frame)
    }

    static func set(
        _ name: String, _ console: ConsoleContext
    ) async throws -> AdministrativeResult<EntitlementSet> {
        try await console.call(.listEntitlementSets) {
            let sets = try await EntitlementSetAdministration($0).sets()
            let set = try await sets.first { $0.name == name }
            return set.map { .success($0) } ?? .failure(.unknown("entitlement_set"))
        }
    }

    /// - Parameters:
    ///   - typed: in the form of a set.
    ///   - sequence: in the form of a sequence.
    func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil,
        sequence: FormParameters? = nil
    ) async throws -> ServerResponse {
        let mayChange = console.may(.changeEntitlementSets)
        let list = ConsoleList(
            operation: .listEntitlementSets, address: console.path("entitlement-sets"),
            columns: [console.text("consoleName"), console.text("consoleContent"), "", ""],
            empty: console.text("consoleSetsNone"))
        let found = try await list.read(
            console, { try await EntitlementSetAdministration($0).sets() }
        ) { set in
            let words = EntitlementValues(stored: set.entitlements).json.members.map {
                "\($0.name) \($0.value.text)"
            }
            return [
                ConsoleCell(set.name),
                ConsoleCell(words.joined(separator: " · "), isCode: true),
                console.link(
                    "consoleManyLink", to: console.path("entitlement-sets", set.name, "people"),
                    if: console.may(.giveEntitlements)),
                console.link(
                    "consoleRemoveLink", to: console.path("entitlement-sets", set.name, "remove"),
                    if: mayChange),
            ]
        }
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "entitlement-sets")
        }
        let sequences = try await ConsoleSequencePages.section(
            console, sequence == nil ? nil : refusal, sequence)
        return console.render(
            console.text("consolePart.entitlement-sets"),
            lead: console.text("consoleSetsLead"), part: "entitlement-sets",
            sections: [ConsoleSection(table: table)] + (mayChange ? [form(console, typed)] : [])
                + [sequences],
            refusal: refusal)
    }

    private func form(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleSetSave"), hint: console.text("consoleSetSaveHint"),
            forms: [
                ConsoleForm(
                    "save", to: console.path("entitlement-sets", "save"),
                    button: console.text("save"),
                    inputs: [
                        ConsoleInput(
                            "name", console.text("consoleName"), value: typed?["name"] ?? "",
                            isRequired: true, limit: 128),
                        ConsoleInput(
                            "entitlements", console.text("consoleContent"), .area,
                            value: typed?["entitlements"] ?? "",
                            hint: console.text("consoleExplicitHint"), isRequired: true,
                            limit: ConsoleJSON.maximumBytes),
                    ])
            ])
    }

    private func save(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard let entitlements = ConsoleJSON.object(form["entitlements"]) else {
            return try await list(console, refusal: .conflict("invalid_json"), typed: form)
        }
        let name = (form["name"] ?? "").trimmed()
        let body = JSONObject([.init(name: "entitlements", value: entitlements)])
        let earlier = try await Self.set(name, console).value
        let outcome = try await ConsoleRestore.save(
            body, over: earlier.map(StateExport.object), by: .putEntitlementSet, [.set: name],
            list: console.path("entitlement-sets"), console)
        switch outcome {
        case .success(let response): return response
        case .failure(let refusal):
            return try await list(console, refusal: refusal, typed: form)
        }
    }
}
