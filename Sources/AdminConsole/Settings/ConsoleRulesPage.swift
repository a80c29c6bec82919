// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import Storage

/// A page of project settings and lists of named entries. The extensions in
/// `ConsoleRulesPage+….swift` define the pages as values.
struct ConsoleRulesPage: Sendable {
    /// The last segment of the path, and the entry of the menu.
    var part: String
    var see: ConsoleAction
    var change: ConsoleAction
    /// Whether a change grants access and therefore requires a sign-in within the last minutes.
    var isGrave = false
    var settings: [ConsoleSettings] = []
    var lists: [ConsoleEntries] = []

    var path: String { ConsoleRouteGuard.project + "/" + part }

    func routes(_ frame: ConsoleRouteGuard) -> [HTTPRoute] {
        [frame.page(path, see) { try await show($0) }]
            + settings.flatMap { $0.routes(self, frame) } + lists.flatMap { routes($0, frame) }
    }

    private func routes(_ list: ConsoleEntries, _ frame: ConsoleRouteGuard) -> [HTTPRoute] {
        let root = path + "/" + list.kind
        return [
            // Where a form leads back to that had to ask for a fresh sign-in.
            frame.page(root, see) { .redirect(to: $0.path(part) + SubmittedForm.carried($0)) },
            frame.form(root + "/create", change, isGrave: isGrave) {
                try await list.create($0, $1, of: self)
            },
            frame.page(root + "/{name}", see) { try await list.show($0, of: self) },
            frame.form(root + "/{name}/change", change, isGrave: isGrave) {
                try await list.forms(self).change($0, $1)
            },
            frame.form(root + "/{name}/undo", change, isGrave: isGrave) { console, _ in
                try await list.forms(self).undo(console)
            },
        ] + list.removal(self).routes(frame)
    }

    func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        var sections: [ConsoleSection] = []
        for settings in settings {
            switch try await settings.section(
                console, of: self, refusal: refusal, typed: typed)
            {
            case .success(let section): sections.append(section)
            case .failure(let refusal): return console.refuse(refusal, part: part)
            }
        }
        for list in lists {
            switch try await list.section(
                console, of: self, refusal: refusal, typed: typed)
            {
            case .success(let section): sections.append(section)
            case .failure(let refusal): return console.refuse(refusal, part: part)
            }
        }
        return console.render(
            console.text("consolePart.\(part)"), lead: console.text("consoleLead.\(part)"),
            part: part, sections: sections, refusal: refusal)
    }
}

extension ConsoleRulesPage {
    static let all = [
        projectSettings, registration, tokenPolicy, webauthnPolicy, platformSSOPolicy,
        identityProviders,
        appRegistration, fingerprints, versions, pinPolicy, approvals,
    ]
}
