// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import Storage

/// Who may do what in the console.
struct ConsoleAdministratorPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = "/console/administrators"
    /// Denotes a role in every project, where a URL otherwise has a project's name.
    private static let all = "*"

    var routes: [HTTPRoute] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{person}/{scope}/revoke", action: .changeAdministrators,
            part: "administrators", name: "administrator", operation: .revokeAdministrator,
            find: { console in
                let (scope, list) = (console[parameter: "scope"], console.path("administrators"))
                return try await role(console) { ($0.projectName ?? Self.all) == scope }
                    .map { ConsoleRemoval.Target(word: $0.username, list: list) }
            },
            act: { console in
                let scope = console[parameter: "scope"]
                return try await console.callForAll(.revokeAdministrator) {
                    try await RoleAdministration($0).revoke(
                        from: console[parameter: "person"], in: scope == Self.all ? nil : scope)
                }.map { .null }
            }, beside: { try await belongings($0) })
        return [
            frame.page(Self.path, .seeAdministrators) { try await list($0) },
            frame.page(Self.path + "/{person}", .seeAdministrators) { try await show($0) },
            frame.form(Self.path + "/grant", .changeAdministrators, isGrave: true) {
                try await grant($0, $1)
            },
            frame.form(Self.path + "/{person}/approve", .changeAdministrators, isGrave: true) {
                try await approve($0, $1)
            },
        ] + revocation.routes(frame)
    }

    /// A role of the person of the address.
    private func role(
        _ console: ConsoleContext, where fits: (AdministratorSummary) -> Bool = { _ in true }
    ) async throws -> AdministrativeResult<AdministratorSummary> {
        let person = console[parameter: "person"]
        return try await console.callForAll(.listAdministrators) {
            let role = try await RoleAdministration($0).list.first {
                $0.administrator.person.description == person && fits($0)
            }
            return role.map { .success($0) } ?? .failure(.unknown("role"))
        }
    }

    /// Returns the section of the resources that the administrator created. Another administrator
    /// has to maintain or transfer them when the role is revoked.
    private func belongings(_ console: ConsoleContext) async throws -> [ConsoleSection] {
        let found = try await console.callForAll(.listBelongings) {
            let resources = try await RoleAdministration($0)
                .resources(createdBy: console[parameter: "person"])
            return try await resources?.page(limit: ConsoleList.pageSize)
                ?? .failure(.unknown("person"))
        }
        let rows = (found.value?.items ?? []).map { item in
            [
                ConsoleCell(
                    item.name, hint: item.id,
                    href: console.path("projects", item.project, Self.part(of: item.kind))),
                ConsoleCell(console.text("consoleBelonging.\(item.kind.rawValue)")),
                ConsoleCell(item.project),
            ]
        }
        return [
            ConsoleSection(
                title: console.text("consoleBelongings"),
                hint: console.text("consoleBelongingsHint"),
                table: ConsoleTable(
                    columns: ["consoleName", "consoleKind", "consoleProject"]
                        .map { console.text($0) },
                    rows: rows, empty: console.text("consoleBelongingsNone")))
        ]
    }

    /// Returns the part of a project's console that shows resources of `kind`.
    private static func part(of kind: OwnedResources.Kind) -> String {
        kind == .signingFingerprint ? "fingerprints" : kind.rawValue + "s"
    }

    private func show(_ console: ConsoleContext) async throws -> ServerResponse {
        let role = try await role(console)
        guard let name = role.value?.username else {
            return console.refuse(role.refusal, part: "administrators")
        }
        return console.render(
            name, part: "administrators", sections: try await belongings(console),
            up: console.up(to: "administrators"))
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let mayChange = console.may(.changeAdministrators)
        let list = ConsoleList(
            operation: .listAdministrators, address: console.path("administrators"),
            columns: ["consoleUserName", "consoleRole", "consoleProject", "consoleMade"]
                .map { console.text($0) } + [""],
            empty: console.text("consoleAdministratorsNone"))
        let found = try await list.readForAll(console, { RoleAdministration($0).list }) { role in
            let (scope, administrator) = (role.projectName, role.administrator)
            let person = administrator.person.description
            return [
                ConsoleCell(role.username, href: console.path("administrators", person)),
                ConsoleCell(console.text("consoleRole.\(administrator.role.rawValue)")),
                ConsoleCell(scope ?? console.text("consoleEveryProject")),
                ConsoleCell(console.when(administrator.createdAt)),
                console.link(
                    "consoleRevokeLink",
                    to: console.path("administrators", person, scope ?? Self.all, "revoke"),
                    if: mayChange),
            ]
        }
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "administrators")
        }
        return console.render(
            console.text("consolePart.administrators"),
            lead: console.text("consoleAdministratorsLead"), part: "administrators",
            sections: [ConsoleSection(table: table)] + (try await awaited(console))
                + (mayChange ? [form(console, typed)] : []), refusal: refusal)
    }

    /// The people who wait for an approval, each with a button; empty without any.
    private func awaited(_ console: ConsoleContext) async throws -> [ConsoleSection] {
        let found = try await console.callForAll(.listAwaitedApprovals) {
            try await RoleAdministration($0).awaitingCredentials().page()
        }
        guard let items = found.value?.items, !items.isEmpty else { return [] }
        let rows = items.map { item in
            [
                ConsoleCell(item.person.username),
                ConsoleCell(console.text("consoleAwaited.\(item.credential.kind.rawValue)")),
                ConsoleCell(item.credential.label),
                ConsoleCell(console.when(item.credential.createdAt)),
            ]
        }
        var section = ConsoleSection(
            title: console.text("consoleAwaited"), hint: console.text("consoleAwaitedHint"),
            table: ConsoleTable(
                columns: ["consoleUserName", "consoleKind", "consoleName", "consoleMade"]
                    .map { console.text($0) }, rows: rows, empty: ""))
        guard console.may(.changeAdministrators) else { return [section] }
        section.forms = Dictionary(grouping: items, by: \.person.id)
            .filter { $0.key != console.authority.person.id }
            .compactMap { _, items in items.first.map { ($0.person, items) } }
            .sorted { $0.0.username < $1.0.username }
            .map { person, items in
                // The approval covers what the page showed, and nothing that came since.
                let shown = items.map(\.credential.id.description).joined(separator: " ")
                return ConsoleForm(
                    "approve-\(person.id)",
                    to: console.path("administrators", person.id.description, "approve"),
                    button: console.text("consoleApprove", ["name": person.username]),
                    inputs: [ConsoleInput("credentials", "", .hidden, value: shown)])
            }
        return [section]
    }

    private func approve(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let shown = (form["credentials"] ?? "").split(separator: " ")
        let answer = try await console.ask(
            .giveApproval, [.person: console[parameter: "person"]],
            body: ["credentials": .array(shown.map { .string(String($0)) })])
        if let refusal = answer.refusal { return try await list(console, refusal: refusal) }
        return console.redirect(console.path("administrators"), done: "approved")
    }

    private func form(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        let roles = Administrator.Role.allCases.map {
            (value: $0.rawValue, label: console.text("consoleRole.\($0.rawValue)"))
        }
        return ConsoleSection(
            title: console.text("consoleRoleGrant"), hint: console.text("consoleRoleGrantHint"),
            forms: [
                ConsoleForm(
                    "grant", to: console.path("administrators", "grant"),
                    button: console.text("consoleRoleGrant"),
                    inputs: [
                        ConsoleInput(
                            "username", console.text("consoleUserName"),
                            value: typed?["username"] ?? "", isRequired: true),
                        ConsoleInput(
                            "role", console.text("consoleRole"), .choice(roles),
                            value: typed?["role"] ?? Administrator.Role.support.rawValue),
                        ConsoleInput(
                            "project", console.text("consoleProject"),
                            value: typed?["project"] ?? "",
                            hint: console.text("consoleProjectEmptyHint"), limit: 63),
                    ])
            ])
    }

    private func grant(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        var body = JSONObject()
        body["role"] = .string(form["role"] ?? "")
        let project = (form["project"] ?? "").trimmed()
        if !project.isEmpty { body["project"] = .string(project) }
        let answer = try await console.ask(
            .grantAdministrator, [.person: (form["username"] ?? "").trimmed()],
            body: .object(body))
        if let refusal = answer.refusal {
            return try await list(console, refusal: refusal, typed: form)
        }
        return console.redirect(console.path("administrators"), done: "granted")
    }
}
