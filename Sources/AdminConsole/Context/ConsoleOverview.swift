// SPDX-License-Identifier: Apache-2.0
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
        _ console: ConsoleContext, refusal: AdministrativeRefusal?, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let found = try await table(console)
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "projects")
        }
        return console.render(
            console.text("consoleProjects"), lead: console.text("consoleProjectsLead"),
            part: "projects",
            sections: [ConsoleSection(table: table)] + newProject(console, refusal, typed),
            refusal: refusal)
    }

    /// Lists the projects in which the person has a role, for a person without a role in all
    /// projects.
    private func table(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ConsoleTable> {
        let list = ConsoleList(
            operation: .listProjects, address: console.root,
            columns: ["consoleName", "consoleEnvironment", "consoleMade"].map { console.text($0) },
            empty: console.text("consoleProjectsNone"))
        guard !console.authority.reachesEveryProject else {
            return try await list.readForAll(console, { ProjectAdministration($0).list }) {
                row(console, $0)
            }
        }
        let ids = console.authority.ownProjects.prefix(ConsoleList.pageSize)
        let own = try await ProjectAdministration(console.caller).projects(ids)
        return .success(list.table(console, own.map { row(console, $0) }, next: nil))
    }

    private func row(_ console: ConsoleContext, _ project: Project) -> [ConsoleCell] {
        [
            ConsoleCell(
                project.name, hint: project.theme.displayName ?? "",
                href: console.path("projects", project.name)),
            Self.environment(of: project, console),
            ConsoleCell(console.when(project.createdAt)),
        ]
    }

    static func environment(of project: Project, _ console: ConsoleContext) -> ConsoleCell {
        ConsoleCell(
            console.text("consoleEnvironment.\(project.environment.rawValue)"),
            tone: project.environment == .production ? .good : .plain)
    }

    private func newProject(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal?, _ typed: FormParameters?
    ) -> [ConsoleSection] {
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
            ].map { $0.marked(by: refusal, console) })
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
        if let refusal = answer.refusal {
            return try await show(
                console, refusal: refusal.unlessExists("project_exists"), typed: form)
        }
        return console.redirect(console.path("projects", name), done: "projectCreated")
    }
}
