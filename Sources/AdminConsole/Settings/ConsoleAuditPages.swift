// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import WebPages

/// What has happened in a project: by filter, page by page, and as a file.
struct ConsoleAuditPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/audit"
    private static let filters = [
        "action", "outcome", "person", "client", "device", "request", "since",
    ]

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .seeAudit) { try await list($0) },
            frame.page(Self.path + "/export", .exportAudit) { try await export($0) },
        ]
    }

    private func list(_ console: ConsoleContext) async throws -> ServerResponse {
        let typed = typed(console)
        guard let query = try await query(console, typed) else {
            return page(console, typed, nil, refusal: .conflict("unknown_person"))
        }
        let list = ConsoleList(
            operation: .listAuditEvents, address: console.path("audit"),
            columns: ConsoleAuditRow.columns.map { console.text($0) },
            empty: console.text("auditNone"), query: query)
        let outcome = try await console.call(.listAuditEvents) {
            try await AuditAdministration($0.caller).page(
                query, limit: ConsoleList.pageSize, from: console.cursor)
        }
        guard let found = outcome.value else {
            return page(console, typed, nil, refusal: outcome.refusal)
        }
        let rows = found.items.map { ConsoleAuditRow(console, $0.event) }
        let names = try await ConsoleAuditRow.names(in: rows, console)
        let table = list.table(console, rows.map { $0.cells(names) }, next: found.next)
        return page(console, typed, table, refusal: nil)
    }

    /// What was typed, as far as it is a filter at all.
    private func typed(_ console: ConsoleContext) -> [String: String] {
        var typed: [String: String] = [:]
        for name in Self.filters {
            let text = (console.visit.query[name] ?? "").trimmed()
            if !text.isEmpty, text.utf8.count <= 128 { typed[name] = text }
        }
        return typed
    }

    /// Returns the query for the Admin API, or `nil` if no person has the submitted name.
    private func query(
        _ console: ConsoleContext, _ typed: [String: String]
    ) async throws -> [String: String]? {
        var query = typed
        query["project"] = console.tenant?.project.name
        if let since = typed["since"], since.utf8.count == 10 {
            query["since"] = since + "T00:00:00Z"
        }
        if let name = typed["person"], Identifier<Person>(name) == nil {
            guard let username = UserName.canonical(name),
                let project = console.tenant?.project.id,
                let person = try await AuditLogReader(frame.pages.provider)
                    .person(username, in: project)
            else { return nil }
            query["person"] = person.description
        }
        return query
    }

    private func page(
        _ console: ConsoleContext, _ typed: [String: String], _ table: ConsoleTable?,
        refusal: AdministrativeRefusal?
    ) -> ServerResponse {
        var section = ConsoleSection(filters: [filter(console, typed)], table: table)
        if console.may(.exportAudit), table?.rows.isEmpty == false {
            section.links = ["csv", "json"].map { format in
                let all = typed.merging(["format": format]) { $1 }
                let pairs = all.sorted { $0.key < $1.key }
                    .map { "\($0.key)=\(FormText.encode($0.value))" }
                return ConsoleLink(
                    text: console.text("consoleExport.\(format)"),
                    href: console.path("audit", "export") + "?" + pairs.joined(separator: "&"),
                    action: "export-\(format)")
            }
        }
        return console.render(
            console.text("consolePart.audit"), lead: console.text("consoleAuditLead"),
            part: "audit", sections: [section], refusal: refusal)
    }

    private func filter(_ console: ConsoleContext, _ typed: [String: String]) -> ConsoleForm {
        let outcomes = ["", "accepted", "refused"].map {
            (value: $0, label: console.text($0.isEmpty ? "auditAny" : $0))
        }
        func input(_ name: String, _ key: String, hint: String = "") -> ConsoleInput {
            ConsoleInput(name, console.text(key), value: typed[name] ?? "", hint: hint, limit: 128)
        }
        return ConsoleForm(
            "filter", to: console.path("audit"), button: console.text("auditShow"),
            weight: .quiet, isQuestion: true,
            inputs: [
                input("action", "auditAction", hint: console.text("auditActionHint")),
                ConsoleInput(
                    "outcome", console.text("auditOutcome"), .choice(outcomes),
                    value: typed["outcome"] ?? ""),
                input("person", "username"), input("client", "auditClient"),
                input("device", "consoleDevice", hint: console.text("consoleDeviceHint")),
                input("request", "consoleRequest", hint: console.text("consoleRequestHint")),
                input("since", "consoleSince", hint: console.text("consoleSinceHint")),
            ])
    }

    private func export(_ console: ConsoleContext) async throws -> ServerResponse {
        let typed = typed(console)
        guard let format = ConsoleExport.Format(rawValue: console.visit.query["format"] ?? ""),
            let query = try await query(console, typed)
        else { return page(console, typed, nil, refusal: .conflict("unknown_format")) }
        switch try await ConsoleExport(format).file(console, query) {
        case .failure(let refusal):
            return page(console, typed, nil, refusal: refusal)
        case .success(let stream):
            try await record(console, format)
            let name = "audit-\(console.tenant?.project.name ?? "").\(format.rawValue)"
            return .file(stream: stream, name: name, mediaType: format.mediaType)
        }
    }

    /// Who took the trail away is in the trail.
    private func record(_ console: ConsoleContext, _ format: ConsoleExport.Format) async throws {
        guard let project = console.tenant?.project.id else { return }
        try await AuditLogReader(frame.pages.provider)
            .recordExport(of: project, format: format.rawValue, facts: console.caller.facts)
    }
}
