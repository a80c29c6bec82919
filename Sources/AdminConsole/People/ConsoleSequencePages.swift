// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import Storage

/// Saves and removes sequences of entitlement sets. The page of the sets displays them.
struct ConsoleSequencePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "entitlement-sets"
    private static let path = ConsoleRouteGuard.project + "/entitlement-sequences"

    var routes: [HTTPRoute] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/{sequence}/remove", action: .changeEntitlementSets,
            part: Self.part, name: "entitlementSequence", operation: .removeEntitlementSequence,
            find: { console in
                let name = console[parameter: "sequence"]
                return try await Self.sequence(name, console).map {
                    ConsoleRemoval.Target(
                        word: name, list: console.path(Self.part),
                        document: StateExport.object($0))
                }
            })
        return [
            frame.page(Self.path, .seeEntitlements) {
                .redirect(to: $0.path(Self.part) + SubmittedForm.carried($0))
            },
            frame.form(Self.path + "/save", .changeEntitlementSets) { try await save($0, $1) },
        ] + removal.routes(frame)
    }

    private static func sequence(
        _ name: String, _ console: ConsoleContext
    ) async throws -> AdministrativeResult<EntitlementSequence> {
        try await console.call(.showEntitlementSequence) {
            let found = try await EntitlementSetAdministration($0).sequence(name)
            return found.map { .success($0) } ?? .failure(.unknown("entitlement_sequence"))
        }
    }

    static func section(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal?, _ typed: FormParameters?
    ) async throws -> ConsoleSection {
        let mayChange = console.may(.changeEntitlementSets)
        let found = try await console.call(.listEntitlementSequences) {
            try await EntitlementSetAdministration($0).sequences().page()
        }
        let rows = (found.value?.items ?? []).map { sequence in
            let remove = ConsoleCell(
                console.text("consoleRemoveLink"),
                href: console.path("entitlement-sequences", sequence.name, "remove"))
            return [
                ConsoleCell(sequence.name),
                ConsoleCell(SequenceLines(sequence.steps).text.joined(separator: " → ")),
            ] + (mayChange ? [remove] : [])
        }
        var section = ConsoleSection(
            title: console.text("consoleSequences"), hint: console.text("consoleSequencesHint"),
            table: ConsoleTable(
                columns: [console.text("consoleName"), console.text("consoleSteps")]
                    + (mayChange ? [""] : []),
                rows: rows, empty: console.text("consoleSequencesNone")))
        if mayChange { section.forms = [form(console, refusal, typed)] }
        return section
    }

    private static func form(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal?, _ typed: FormParameters?
    ) -> ConsoleForm {
        let fields = [
            ConsoleField("name", "consoleName", isRequired: true),
            ConsoleField(
                "steps", "consoleSteps", .lines, hint: "consoleStepsHint", isRequired: true),
        ]
        return ConsoleForm(
            "save-sequence", to: console.path("entitlement-sequences", "save"),
            button: console.text("consoleSequenceSave"), weight: .quiet,
            inputs: fields.map { $0.input(console, [:], typed: typed, refusal: refusal) })
    }

    private func save(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let pages = ConsoleEntitlementPages(frame)
        guard let steps = SequenceLines(typed: form["steps"] ?? "") else {
            return try await pages.list(
                console, refusal: .conflict("invalid_steps"), sequence: form)
        }
        let name = (form["name"] ?? "").trimmed()
        let body = JSONObject([.init(name: "steps", value: steps.json)])
        let earlier = try await Self.sequence(name, console).value
        let outcome = try await ConsoleRestore.save(
            body, over: earlier.map(StateExport.object), by: .putEntitlementSequence,
            [.sequence: name],
            list: console.path(Self.part), console)
        switch outcome {
        case .success(let response): return response
        case .failure(let refusal):
            return try await pages.list(console, refusal: refusal, sequence: form)
        }
    }
}
