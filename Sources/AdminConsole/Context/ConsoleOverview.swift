// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// The first page: the projects that the administrator has to do with.
struct ConsoleOverview: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    var routes: [HTTPRoute] {
        [
            frame.hall { try await show($0, refusal: nil) },
            frame.form("/console/create", .createProject) { try await create($0, $1) },
        ]
    }

    private func show(
        _ console: ConsoleContext, refusal: AdminResponse?, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        var section = ConsoleSection()
        switch try await table(console) {
        case .refused(let answer): return console.complain(answer, part: "projects")
        case .table(let table): section.table = table
        }
        return console.render(
            console.text("consoleProjects"), lead: console.text("consoleProjectsLead"),
            part: "projects", sections: [section] + newProject(console, typed), refusal: refusal)
    }

    private func table(_ console: ConsoleContext) async throws -> ConsoleList.Outcome {
        let columns = ["consoleName", "consoleEnvironment", "consoleMade"].map { console.text($0) }
        guard console.authority.reachesEveryProject else {
            return .table(
                ConsoleTable(
                    columns: columns, rows: try await ownRows(console),
                    empty: console.text("consoleProjectsNone")))
        }
        let list = ConsoleList(
            operation: .listProjects, address: console.root, columns: columns,
            empty: console.text("consoleProjectsNone"))
        return try await list.read(console) { project in
            row(
                console, project["name"]?.string ?? "", project["environment"]?.string ?? "",
                theme: project["theme"]?["display_name"]?.string ?? "",
                made: console.when(project["created_at"]))
        }
    }

    /// Returns the rows of the projects in which the person has a role, for a person without a role
    /// in all projects.
    private func ownRows(_ console: ConsoleContext) async throws -> [[ConsoleCell]] {
        let ids = console.authority.ownProjects.prefix(ConsoleList.pageSize)
        return try await ProjectAdministration(console.caller).projects(ids).map { project in
            row(
                console, project.name, project.environment.rawValue,
                theme: project.theme.displayName ?? "",
                made: console.visit.language.when(project.createdAt, now: console.now))
        }
    }

    private func row(
        _ console: ConsoleContext, _ name: String, _ environment: String, theme: String,
        made: String
    ) -> [ConsoleCell] {
        [
            ConsoleCell(name, hint: theme, href: console.path("projects", name)),
            ConsoleCell(
                console.text("consoleEnvironment.\(environment)"),
                tone: environment == "production" ? .good : .plain),
            ConsoleCell(made),
        ]
    }

    private func newProject(_ console: ConsoleContext, _ typed: FormParameters?) -> [ConsoleSection]
    {
        guard console.may(.createProject) else { return [] }
        let environments = ["development", "production"].map {
            (value: $0, label: console.text("consoleEnvironment.\($0)"))
        }
        let form = ConsoleForm(
            "create", to: console.path("create"), button: console.text("consoleProjectCreate"),
            inputs: [
                ConsoleInput(
                    "name", console.text("consoleName"), value: typed?["name"] ?? "",
                    hint: console.text("consoleProjectNameHint"), isRequired: true, limit: 63),
                ConsoleInput(
                    "environment", console.text("consoleEnvironment"), .choice(environments),
                    value: typed?["environment"] ?? Self.environment(console)),
            ])
        return [ConsoleSection(title: console.text("consoleProjectNew"), forms: [form])]
    }

    private static func environment(_ console: ConsoleContext) -> String {
        IssuerAddress(console.visit.pages.provider.issuer).isDevelopers
            ? "development" : "production"
    }

    /// A new one only: the page is not for changing what exists.
    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let name = form["name"] ?? ""
        let answer = try await console.ask(
            .putProject, as: .createProject, [.project: name],
            body: ["environment": .string(form["environment"] ?? Self.environment(console))],
            onlyNew: true)
        guard answer.json != nil else {
            return try await show(
                console, refusal: answer.unlessExists("project_exists"), typed: form)
        }
        return console.redirect(console.path("projects", name), done: "projectCreated")
    }
}
