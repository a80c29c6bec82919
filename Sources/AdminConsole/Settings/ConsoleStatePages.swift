// SPDX-License-Identifier: Apache-2.0
import Documents
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import WebPages

/// Exports, plans and applies the state document of a project, as `gatehouse export`, `plan` and
/// `apply` do.
struct ConsoleStatePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "state"
    private static let path = ConsoleRouteGuard.project + "/" + part
    /// The maximum size in bytes of a form with a document.
    private static let bodyLimit = 1 << 20
    /// The maximum of displayed rows of a plan.
    private static let maximumRows = 500

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .exportState) { show($0) },
            frame.form(Self.path + "/plan", .applyState, isGrave: true, bodyLimit: Self.bodyLimit) {
                try await plan($0, $1)
            },
            frame.form(Self.path + "/apply", .applyState, isGrave: true, bodyLimit: Self.bodyLimit)
            { try await apply($0, $1) },
        ]
    }

    /// - Parameter wrong: The section with the issues of the submitted document.
    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil,
        wrong: ConsoleSection? = nil
    ) -> ServerResponse {
        var sections = wrong.map { [$0] } ?? []
        sections.append(ConsoleProjectPages.document(console))
        if console.may(.applyState) { sections.append(paste(console, typed)) }
        return render(console, sections, refusal)
    }

    private func render(
        _ console: ConsoleContext, _ sections: [ConsoleSection],
        _ refusal: AdministrativeRefusal? = nil
    ) -> ServerResponse {
        console.render(
            console.text("consolePart.state"), lead: console.text("consoleStateLead"),
            part: Self.part, sections: sections, refusal: refusal)
    }

    private func paste(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleStatePaste"), hint: console.text("consoleStatePasteHint"),
            forms: [
                ConsoleForm(
                    "plan", to: console.path(Self.part, "plan"),
                    button: console.text("consoleStatePlan"),
                    inputs: [
                        ConsoleInput(
                            "document", console.text("consoleStateDocument"), .area,
                            value: typed?["document"] ?? "", isRequired: true,
                            limit: Self.bodyLimit)
                    ])
            ])
    }

    // MARK: Compare

    private func plan(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        switch try await planned(console, form) {
        case .failure(let refused): return refused.response
        case .success(let plan): return page(console, plan, form)
        }
    }

    /// A document, and what applying it would change.
    private struct Plan {
        var document: DocumentNode
        var changes: [StateChange]
        /// Over both, so that what is applied is what was shown.
        var mark: String
    }

    private struct Refused: Error {
        var response: ServerResponse
    }

    private func planned(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> Result<Plan, Refused> {
        let document: DocumentNode
        switch read(console, form) {
        case .failure(let refused): return .failure(refused)
        case .success(let node): document = node
        }
        let planned = try await console.call(.planState) {
            try await $0.caller.reconcile(document.json, writes: false)
        }
        guard let changes = planned.value else {
            return .failure(refuse(console, form, planned.refusal, document))
        }
        let wanted = changes.filter { $0.action != .unchanged }
        let bytes = document.json.bytes + [0] + JSONValue.array(wanted.map(\.json)).bytes
        let mark = frame.pages.provider.secrets.hash(bytes, for: .confirmation)
        return .success(
            Plan(document: document, changes: wanted, mark: Base64URL.encode(mark)))
    }

    private func read(
        _ console: ConsoleContext, _ form: FormParameters
    ) -> Result<DocumentNode, Refused> {
        let text = form["document"] ?? ""
        guard !text.trimmed().isEmpty else {
            return .failure(
                Refused(response: show(console, refusal: .conflict("document_missing"))))
        }
        do throws(DocumentError) {
            let document = try DocumentReader.read(Array(text.utf8))
            guard isAboutThisProject(console, document.json) else {
                return .failure(
                    Refused(
                        response: show(console, refusal: .conflict("other_project"), typed: form)))
            }
            return .success(document)
        } catch {
            let row = [
                ConsoleCell(String(error.place.line)), ConsoleCell(""),
                ConsoleCell(console.text("consoleStateUnreadable"), hint: error.message),
            ]
            return .failure(refuse(console, form, rows: [row]))
        }
    }

    /// Whether the document contains only this project. The right to apply it is limited to the
    /// project.
    private func isAboutThisProject(_ console: ConsoleContext, _ document: JSONValue) -> Bool {
        guard let name = console.tenant?.project.name, document.object?.names == ["projects"],
            let projects = document["projects"]?.array, !projects.isEmpty
        else { return false }
        return projects.allSatisfy { $0["name"]?.string == name }
    }

    // MARK: What is wrong

    private func refuse(
        _ console: ConsoleContext, _ form: FormParameters, _ refusal: AdministrativeRefusal?,
        _ document: DocumentNode
    ) -> Refused {
        guard let issues = refusal?.issues, !issues.isEmpty else {
            return Refused(response: show(console, refusal: refusal, typed: form))
        }
        return refuse(
            console, form,
            rows: issues.map { issue in
                [
                    ConsoleCell(Self.line(of: issue.path, in: document)),
                    ConsoleCell(issue.path, isCode: true),
                    ConsoleCell(console.text(issue.complaint)),
                ]
            })
    }

    private func refuse(
        _ console: ConsoleContext, _ form: FormParameters, rows: [[ConsoleCell]]
    ) -> Refused {
        let section = ConsoleSection(
            title: console.text("consoleStateWrong"),
            table: ConsoleTable(
                columns: ["consoleLine", "consoleWhere", "consoleWhat"].map { console.text($0) },
                rows: rows, empty: ""))
        return Refused(
            response: show(
                console, refusal: .invalid("invalid_state", ""), typed: form, wrong: section))
    }

    /// Returns the line of an issue, or "–" for a conflict with the stored state, which has no
    /// line.
    private static func line(of path: String, in document: DocumentNode) -> String {
        guard path.isEmpty || path.hasPrefix("projects") else { return "–" }
        return String(document.place(of: path).line)
    }

    // MARK: What would change

    private func page(
        _ console: ConsoleContext, _ plan: Plan, _ form: FormParameters,
        refusal: AdministrativeRefusal? = nil
    ) -> ServerResponse {
        let back = ConsoleLink(text: console.text("consoleBack"), href: console.path(Self.part))
        guard !plan.changes.isEmpty else {
            let section = ConsoleSection(
                title: console.text("consoleStateSame"), links: [back])
            return render(console, [section], refusal)
        }
        var section = ConsoleSection(
            title: console.text(
                "consoleStatePlanned", ["count": String(plan.changes.count)]),
            table: table(console, plan.changes))
        if plan.changes.count > Self.maximumRows {
            section.hint = console.text("consoleStateFirst", ["count": String(Self.maximumRows)])
        }
        return render(console, [section, confirmation(console, plan, form, back)], refusal)
    }

    private func table(_ console: ConsoleContext, _ changes: [StateChange]) -> ConsoleTable {
        let rows = changes.prefix(Self.maximumRows).map { change in
            [
                ConsoleCell(console.text("consoleStateKind.\(change.kind.rawValue)")),
                ConsoleCell(change.name),
                ConsoleCell(
                    console.text("consoleStateChange.\(change.action.rawValue)"),
                    tone: change.action == .create ? .good : .plain),
                ConsoleCell(
                    change.fields.map(Self.words).joined(separator: " · "), isCode: true),
            ]
        }
        return ConsoleTable(
            columns: ["consoleKind", "consoleName", "consoleWhat", "consoleContent"]
                .map { console.text($0) }, rows: rows, empty: "")
    }

    /// `access_token_lifetime: 300 → 600`. Of secrets there is only the name.
    private static func words(_ field: StateChange.Field) -> String {
        guard field.from != nil || field.to != nil else { return field.name }
        func short(_ value: JSONValue?) -> String {
            guard let value else { return "–" }
            let text = value.string ?? value.text
            return text.count > 120 ? text.prefix(120) + "…" : text
        }
        return "\(field.name): \(short(field.from)) → \(short(field.to))"
    }

    // MARK: Apply

    private func confirmation(
        _ console: ConsoleContext, _ plan: Plan, _ form: FormParameters, _ back: ConsoleLink
    ) -> ConsoleSection {
        let name = console.tenant?.project.name ?? ""
        let seal = confirmation(console, plan).seal(name, now: console.now)
        return ConsoleSection(
            title: console.text("consoleStateApply"), hint: console.text("consoleStateApplyHint"),
            links: [back],
            forms: [
                ConsoleForm(
                    "apply", to: console.path(Self.part, "apply"),
                    button: console.text("consoleStateApply"), weight: .danger,
                    inputs: [
                        ConsoleInput("document", "", .hidden, value: form["document"] ?? ""),
                        ConsoleInput("seal", "", .hidden, value: seal),
                        ConsoleInput(
                            "confirmation", console.text("consoleTypeName", ["name": name]),
                            isRequired: true),
                    ])
            ])
    }

    private func confirmation(_ console: ConsoleContext, _ plan: Plan) -> ConsoleConfirmation {
        ConsoleConfirmation(
            secrets: frame.pages.provider.secrets,
            session: console.authority.signedIn.session.id,
            act: console.path(Self.part, "apply", plan.mark))
    }

    private func apply(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let plan: Plan
        switch try await planned(console, form) {
        case .failure(let refused): return refused.response
        case .success(let found): plan = found
        }
        let outcome = confirmation(console, plan).verify(
            form["seal"], typed: form["confirmation"], word: console.tenant?.project.name ?? "",
            now: console.now)
        switch outcome {
        case .stale: return page(console, plan, form, refusal: .conflict("stale_confirmation"))
        case .differs: return page(console, plan, form, refusal: .conflict("confirmation_differs"))
        case .confirmed: break
        }
        let answer = try await console.call(.applyState) {
            try await $0.caller.reconcile(plan.document.json, writes: true)
        }
        if let refusal = answer.refusal {
            return refuse(console, form, refusal, plan.document).response
        }
        return console.redirect(console.path(Self.part), done: "applied")
    }
}
