// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE
import Storage

/// A project: what it is, and what its pages look like.
struct ConsoleProjectPages: Sendable {
    private let frame: ConsoleFrame

    init(_ frame: ConsoleFrame) { self.frame = frame }

    private static let path = ConsoleFrame.project

    var routes: [Route] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/remove", action: .removeProject, part: "project",
            name: "project", find: { try await target($0) },
            act: { try await $0.ask("removeProject") })
        return [
            frame.page(Self.path, .seeProject) { try await show($0, refusal: nil) },
            frame.form(Self.path + "/theme", .changeProject) { try await setTheme($0, $1) },
        ] + removal.routes(frame)
    }

    private func show(
        _ console: ConsoleVisit, refusal: AdminAnswer?
    ) async throws -> ServerResponse {
        let answer = try await console.ask("showProject")
        guard let project = answer.json else { return console.complain(answer, part: "project") }
        var sections = [facts(console, project)]
        if console.may(.changeProject) { sections.append(theme(console, project)) }
        if console.may(.removeProject), project["name"] != "default" {
            sections.append(
                ConsoleSection(
                    title: console.text("consoleProjectRemove"),
                    hint: console.text("consoleProjectRemoveHint"),
                    links: [
                        ConsoleLink(
                            text: console.text("consoleProjectRemove"),
                            href: console.path("remove"), isDanger: true, action: "remove")
                    ]))
        }
        return console.render(
            project["theme"]?["display_name"]?.string ?? project["name"]?.string ?? "",
            lead: console.tenant?.issuer ?? "", part: "project", sections: sections,
            refusal: refusal)
    }

    private func facts(_ console: ConsoleVisit, _ project: JSONValue) -> ConsoleSection {
        let environment = project["environment"]?.string ?? ""
        let methods = project["registration"]?["methods"]?.strings ?? []
        return ConsoleSection(
            facts: [
                ConsoleFact(
                    console.text("consoleName"), ConsoleCell(project["name"]?.string ?? "")),
                ConsoleFact(
                    console.text("consoleEnvironment"),
                    ConsoleCell(
                        console.text("consoleEnvironment.\(environment)"),
                        tone: environment == "production" ? .good : .plain)),
                ConsoleFact(
                    console.text("consoleIssuer"),
                    ConsoleCell(console.tenant?.issuer ?? "", isCode: true)),
                ConsoleFact(
                    console.text("consoleSelfRegistration"),
                    ConsoleCell(
                        console.text(
                            project["policy"]?["self_registration"]?.bool == false
                                ? "consoleNo" : "consoleYes"))),
                ConsoleFact(
                    console.text("consoleMethods"),
                    ConsoleCell(methods.isEmpty ? "–" : methods.joined(separator: ", "))),
                ConsoleFact(
                    console.text("consoleMade"), ConsoleCell(console.when(project["created_at"]))),
            ])
    }

    private func theme(_ console: ConsoleVisit, _ project: JSONValue) -> ConsoleSection {
        func input(_ name: String, _ key: String, _ hint: String = "") -> ConsoleInput {
            ConsoleInput(
                name, console.text(key), value: project["theme"]?[name]?.string ?? "",
                hint: hint.isEmpty ? "" : console.text(hint), limit: name == "logo" ? 32_768 : 128)
        }
        return ConsoleSection(
            title: console.text("consoleTheme"), hint: console.text("consoleThemeHint"),
            forms: [
                ConsoleForm(
                    "theme", to: console.path("theme"), button: console.text("save"),
                    inputs: [
                        input("display_name", "consoleDisplayName"),
                        input("accent", "consoleAccent", "consoleColourHint"),
                        input("background", "consoleBackground", "consoleColourHint"),
                        input("logo", "consoleLogo", "consoleLogoHint"),
                    ])
            ])
    }

    /// An emptied field goes back to the house's own.
    private func setTheme(_ console: ConsoleVisit, _ form: Form) async throws -> ServerResponse {
        var theme = JSONObject()
        for name in ["display_name", "accent", "background", "logo"] {
            let typed = (form[name] ?? "").trimmed()
            theme[name] = typed.isEmpty ? .null : .string(typed)
        }
        let answer = try await console.ask("putProject", body: ["theme": .object(theme)])
        guard answer.json != nil else { return try await show(console, refusal: answer) }
        return console.redirect(console.root, done: "saved")
    }

    private func target(
        _ console: ConsoleVisit
    ) async throws -> Result<ConsoleRemoval.Target, ConsoleRefusal> {
        .success(
            ConsoleRemoval.Target(
                word: console.tenant?.project.name ?? "", page: console.root,
                list: console.visit.prefix + "/console"))
    }
}
