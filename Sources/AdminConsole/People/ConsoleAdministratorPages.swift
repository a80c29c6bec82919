// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
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
                let answer = try await find(console)
                guard let role = answer else {
                    return .failure(ConsoleRefusal(answer: .unknown("role")))
                }
                let list = console.path("administrators")
                return .success(
                    ConsoleRemoval.Target(
                        word: role["username"]?.string ?? "", page: list, list: list))
            },
            act: { console in
                let scope = console[parameter: "scope"]
                return try await console.ask(
                    .revokeAdministrator, [.person: console[parameter: "person"]],
                    query: scope == Self.all ? [:] : ["project": scope])
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

    private func find(_ console: ConsoleContext) async throws -> JSONValue? {
        let (person, scope) = (console[parameter: "person"], console[parameter: "scope"])
        return try await console.first(in: .listAdministrators) {
            $0["sub"]?.string == person && ($0["project"]?.string ?? Self.all) == scope
        }
    }

    /// Returns the section of the resources that the administrator created. Another administrator
    /// has to maintain or transfer them when the role is revoked.
    private func belongings(_ console: ConsoleContext) async throws -> [ConsoleSection] {
        let answer = try await console.ask(
            .listBelongings, [.person: console[parameter: "person"]])
        let items = answer.json?["items"]?.array ?? []
        let rows = items.prefix(ConsoleList.pageSize).map { item in
            let (project, kind) = (item["project"]?.string ?? "", item["kind"]?.string ?? "")
            return [
                ConsoleCell(
                    item["name"]?.string ?? "", hint: item["id"]?.string ?? "",
                    href: console.path("projects", project, Self.part(of: kind))),
                ConsoleCell(console.text("consoleBelonging.\(kind)")), ConsoleCell(project),
            ]
        }
        return [
            ConsoleSection(
                title: console.text("consoleBelongings"),
                hint: console.text("consoleBelongingsHint"),
                table: ConsoleTable(
                    columns: ["consoleName", "consoleKind", "consoleProject"]
                        .map { console.text($0) },
                    rows: Array(rows), empty: console.text("consoleBelongingsNone")))
        ]
    }

    /// Returns the part of a project's console that shows resources of `kind`.
    private static func part(of kind: String) -> String {
        kind == OwnedResources.Kind.signingFingerprint.rawValue ? "fingerprints" : kind + "s"
    }

    private func show(_ console: ConsoleContext) async throws -> ServerResponse {
        let person = console[parameter: "person"]
        let role = try await console.first(in: .listAdministrators) {
            $0["sub"]?.string == person
        }
        guard let name = role?["username"]?.string else {
            return console.complain(.unknown("role"), part: "administrators")
        }
        return console.render(
            name, part: "administrators", sections: try await belongings(console),
            up: ConsoleLink(
                text: console.text("consolePart.administrators"),
                href: console.path("administrators")))
    }

    private func list(
        _ console: ConsoleContext, refusal: AdminResponse? = nil, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let mayChange = console.may(.changeAdministrators)
        let list = ConsoleList(
            operation: .listAdministrators, address: console.path("administrators"),
            columns: ["consoleUserName", "consoleRole", "consoleProject", "consoleMade"]
                .map { console.text($0) } + [""],
            empty: console.text("consoleAdministratorsNone"))
        let outcome = try await list.read(console) { administrator in
            let scope = administrator["project"]?.string
            let person = administrator["sub"]?.string ?? ""
            return [
                ConsoleCell(
                    administrator["username"]?.string ?? "",
                    href: console.path("administrators", person)),
                ConsoleCell(console.text("consoleRole.\(administrator["role"]?.string ?? "")")),
                ConsoleCell(scope ?? console.text("consoleEveryProject")),
                ConsoleCell(console.when(administrator["created_at"])),
                mayChange
                    ? ConsoleCell(
                        console.text("consoleRevokeLink"),
                        href: console.path("administrators", person, scope ?? Self.all, "revoke"))
                    : ConsoleCell(""),
            ]
        }
        switch outcome {
        case .refused(let answer): return console.complain(answer, part: "administrators")
        case .table(let table):
            return console.render(
                console.text("consolePart.administrators"),
                lead: console.text("consoleAdministratorsLead"), part: "administrators",
                sections: [ConsoleSection(table: table)] + (try await awaited(console))
                    + (mayChange ? [form(console, typed)] : []), refusal: refusal)
        }
    }

    /// The people who wait for an approval, each with a button; empty without any.
    private func awaited(_ console: ConsoleContext) async throws -> [ConsoleSection] {
        let answer = try await console.ask(.listAwaitedApprovals)
        let items = answer.json?["items"]?.array ?? []
        guard !items.isEmpty else { return [] }
        let rows = items.map { item in
            [
                ConsoleCell(item["username"]?.string ?? ""),
                ConsoleCell(console.text("consoleAwaited.\(item["kind"]?.string ?? "")")),
                ConsoleCell(item["label"]?.string ?? ""),
                ConsoleCell(console.when(item["created_at"])),
            ]
        }
        var section = ConsoleSection(
            title: console.text("consoleAwaited"), hint: console.text("consoleAwaitedHint"),
            table: ConsoleTable(
                columns: ["consoleUserName", "consoleKind", "consoleName", "consoleMade"]
                    .map { console.text($0) }, rows: rows, empty: ""))
        guard console.may(.changeAdministrators) else { return [section] }
        let people = Dictionary(
            items.map { ($0["sub"]?.string ?? "", $0["username"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
        section.forms = people.filter { $0.key != console.authority.person.id.description }
            .sorted { $0.value < $1.value }
            .map { sub, name in
                ConsoleForm(
                    "approve-\(sub)", to: console.path("administrators", sub, "approve"),
                    button: console.text("consoleApprove", ["name": name]),
                    inputs: [
                        ConsoleInput("credentials", "", .hidden, value: Self.shown(items, of: sub))
                    ])
            }
        return [section]
    }

    /// The approval covers what the page showed, and nothing that came since.
    private static func shown(_ items: [JSONValue], of sub: String) -> String {
        items.filter { $0["sub"]?.string == sub }.compactMap { $0["id"]?.string }
            .joined(separator: " ")
    }

    private func approve(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let shown = (form["credentials"] ?? "").split(separator: " ")
        let answer = try await console.ask(
            .giveApproval, [.person: console[parameter: "person"]],
            body: ["credentials": .array(shown.map { .string(String($0)) })])
        guard answer.json != nil else { return try await list(console, refusal: answer) }
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
        guard answer.json != nil else {
            return try await list(console, refusal: answer, typed: form)
        }
        return console.redirect(console.path("administrators"), done: "granted")
    }
}
