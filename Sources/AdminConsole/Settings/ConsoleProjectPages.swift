// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// A project: what it is, all of it as a document, and its end.
struct ConsoleProjectPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project

    var routes: [HTTPRoute] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/remove", action: .removeProject, part: "project",
            name: "project", operation: .removeProject, find: { try await target($0) })
        return [
            frame.page(Self.path, .seeProject) { try await show($0) },
            frame.page(Self.path + "/export", .exportState) { try await export($0) },
        ] + removal.routes(frame)
    }

    private func show(_ console: ConsoleContext) async throws -> ServerResponse {
        let found = try await console.call(.showProject) {
            try await ProjectAdministration($0.caller).overview($0.project.name)
        }
        guard let project = found.value?.project else {
            return console.refuse(found.refusal, part: "project")
        }
        var sections = [facts(console, project)]
        if console.may(.exportState) { sections.append(Self.document(console)) }
        if console.may(.removeProject), project.name != AdministratorRoles.homeProject {
            sections.append(
                ConsoleSection(
                    title: console.text("consoleRemoval.project.button"),
                    hint: console.text("consoleProjectRemoveHint"),
                    links: [
                        ConsoleLink(
                            text: console.text("consoleProjectRemove"),
                            href: console.path("remove"), isDanger: true, action: "remove")
                    ]))
        }
        return console.render(
            project.theme.displayName ?? project.name, lead: console.tenant?.issuer ?? "",
            part: "project", sections: sections)
    }

    static func document(_ console: ConsoleContext) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleDocument"), hint: console.text("consoleDocumentHint"),
            links: [
                ConsoleLink(
                    text: console.text("consoleExport.json"), href: console.path("export"),
                    action: "export")
            ])
    }

    /// What `gatehouse apply` reads back.
    private func export(_ console: ConsoleContext) async throws -> ServerResponse {
        let name = console.tenant?.project.name ?? ""
        let exported = try await console.read(.exportState) {
            try await StateExport($0.provider).document(project: name)
        }
        guard let document = exported.value else {
            return console.refuse(exported.refusal, part: "project")
        }
        return .file(document.bytes, name: "\(name).json", mediaType: "application/json")
    }

    private func facts(_ console: ConsoleContext, _ project: Project) -> ConsoleSection {
        let methods = project.policy.registration.methods.map { ConsoleField.words(console, $0) }
        return ConsoleSection(
            facts: [
                ConsoleFact(console.text("consoleName"), ConsoleCell(project.name)),
                ConsoleFact(
                    console.text("consoleEnvironment"),
                    ConsoleOverview.environment(of: project, console)),
                ConsoleFact(
                    console.text("consoleIssuer"),
                    ConsoleCell(console.tenant?.issuer ?? "", isCode: true)),
                ConsolePeoplePages.registration(console),
                ConsoleFact(
                    console.text("consoleMethods"),
                    ConsoleCell(methods.isEmpty ? "–" : methods.joined(separator: " · "))),
                ConsoleFact(
                    console.text("consoleMade"), ConsoleCell(console.when(project.createdAt))),
            ])
    }

    private func target(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ConsoleRemoval.Target> {
        let name = console.tenant?.project.name ?? ""
        // Refuses before the administrator types the name to confirm.
        guard name != AdministratorRoles.homeProject else {
            return .failure(.conflict("default_project"))
        }
        return .success(
            ConsoleRemoval.Target(
                word: name, page: console.root, list: console.visit.prefix + "/console"))
    }
}
