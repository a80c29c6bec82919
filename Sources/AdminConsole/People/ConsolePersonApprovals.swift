// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// The approval requests on a person's page: pending and finished ones, and a form that sends a
/// test request to the person's app.
struct ConsolePersonApprovals: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    var routes: [HTTPRoute] {
        [
            frame.form(ConsolePeoplePages.path + "/{person}/approvals", .askApprovals) {
                try await ask($0, $1)
            }
        ]
    }

    /// Nothing where a project asks for no approvals and never has.
    static func sections(
        _ console: ConsoleContext, of sub: String, _ typed: FormParameters?
    ) async throws -> [ConsoleSection] {
        let found = try await console.call(.listApprovals) {
            try await ApprovalAdministration($0).requests(to: sub)
        }
        let project =
            try await console.read(.showApprovalPolicy) {
                try await $0.caller.scope(ofProject: $0.project.name)?.project
            }.value ?? nil
        let isOffered = project?.policy.registration.approvals.enabled == true
        guard let all = found.value, isOffered || !all.isEmpty else { return [] }
        var section = ConsoleSection(
            title: console.text("consolePart.approvals"),
            hint: console.text("consoleApprovalsHint"),
            table: ConsoleTable(
                columns: ["consoleClient", "consoleMessage", "consoleState", "consoleMade"]
                    .map { console.text($0) },
                rows: all.map { row(console, $0) }, empty: console.text("consoleApprovalsNone")))
        if console.may(.askApprovals) { section.forms = [form(console, sub, typed)] }
        section.links = past(console, sub)
        return [section]
    }

    private static func row(
        _ console: ConsoleContext, _ request: ApprovalAdministration.Request
    ) -> [ConsoleCell] {
        let approval = request.approval
        let state = approval.status(at: console.now)
        let id = request.client?.clientID ?? "–"
        return [
            ConsoleCell(request.client?.metadata.clientName ?? id, hint: id),
            ConsoleCell(
                approval.message,
                hint: approval.transaction.isEmpty ? "" : console.text("consoleApprovalText")),
            ConsoleCell(
                console.text("consoleApproval.\(state.rawValue)"),
                hint: state == .pending ? console.until(approval.expiresAt) : "",
                tone: state == .approved ? .good : state == .denied ? .bad : .plain),
            ConsoleCell(console.when(approval.createdAt)),
        ]
    }

    private static func form(
        _ console: ConsoleContext, _ sub: String, _ typed: FormParameters?
    ) -> ConsoleForm {
        ConsoleForm(
            "ask-approval", to: console.path("people", sub, "approvals"),
            button: console.text("consoleApprovalAsk"), weight: .quiet,
            hint: console.text("consoleApprovalAskHint"),
            inputs: [
                ConsoleInput(
                    "client_id", console.text("consoleApprovalClient"),
                    value: typed?["client_id"] ?? "", isRequired: true, limit: 256)
            ])
    }

    private static func past(_ console: ConsoleContext, _ sub: String) -> [ConsoleLink] {
        guard console.may(.seeAudit) else { return [] }
        return [
            ConsoleLink(
                text: console.text("consoleApprovalsPast"),
                href: console.path("audit") + "?action=approval.&person=\(FormText.encode(sub))")
        ]
    }

    private func ask(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let person = console[parameter: "person"]
        let answer = try await console.ask(
            .askApproval, [.person: person],
            body: ["client_id": .string((form["client_id"] ?? "").trimmed())])
        if let refusal = answer.refusal {
            return try await ConsolePersonPage(console).show(refusal: refusal, typed: form)
        }
        return console.redirect(console.path("people", person), done: "asked")
    }
}
