// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

extension ConsoleContext {
    /// Draws a page.
    ///
    /// - Parameters:
    ///   - part: the entry of the menu that it belongs to.
    ///   - refusal: of what the administrator has just tried.
    func render(
        _ title: String, lead: String = "", part: String, sections: [ConsoleSection],
        up: ConsoleLink? = nil, refusal: AdministrativeRefusal? = nil
    ) -> ServerResponse {
        let filled = typed?.filled(sections)
        var sections = filled ?? sections
        if refusal != nil, let form = newEntry(sections) {
            // The refused form, which is otherwise far below the message.
            let refused = sections.remove(at: form)
            sections.insert(refused, at: 0)
        }
        var values: [String: Any] = [
            "consoleStyle": style, "heading": title, "lead": lead.isEmpty ? false as Any : lead,
            "menu": ConsoleMenu(self).values(current: part), "home": visit.prefix + "/console",
            "currentPart": text("consolePart.\(part)"),
            "projectName": tenant?.project.name ?? false as Any,
            "isProduction": tenant?.project.environment == .production,
            "up": up?.values ?? false as Any,
            "jump": jump(sections), "sections": sections.enumerated().map { $1.values("s\($0)") },
        ]
        values["roleWords"] = roleWords
        values["removed"] = removed.map { $0.values(self) }
        var (status, error): (HTTPResponse.Status, String?) = (.ok, nil)
        if let refusal {
            let wrong = refusal.issues.first.map { text($0) }
            (status, error) = (refusal.status, wrong ?? text(code: refusal.code, refusal.message))
            if sections.contains(where: \.isMarked) { error = text("consoleLookBelow") }
        }
        return visit.render(
            "console", title: title + (tenant.map { " · " + $0.project.name } ?? ""), values,
            status: status, error: error,
            notice: filled == nil ? notice : text("consoleTypedAgain"))
    }

    /// Returns a link to the form for a new entry if a long list precedes it.
    private func jump(_ sections: [ConsoleSection]) -> Any {
        newEntry(sections).map { ["href": "#s\($0)", "text": sections[$0].title] } ?? false as Any
    }

    /// Returns the index of the section with the form for a new entry, if a long list precedes it.
    private func newEntry(_ sections: [ConsoleSection]) -> Int? {
        guard sections.first?.table?.rows.count ?? 0 > 8 else { return nil }
        return sections.dropFirst().firstIndex { section in
            section.forms.contains { $0.name == "create" }
        }
    }

    /// Returns the page with a secret that is shown once.
    ///
    /// - Parameter back: where the page leads when the secret was saved.
    func render(
        _ title: String, _ secret: ConsoleSecret, part: String, back: String,
        facts: [ConsoleFact] = []
    ) -> ServerResponse {
        render(
            title, part: part,
            sections: [
                ConsoleSection(
                    title: text("consoleSecretOnce"), hint: text("consoleSecretOnceHint"),
                    facts: facts, secret: secret,
                    links: [ConsoleLink(text: text("consoleSecretKept"), href: back)])
            ])
    }

    /// A link to the list of a part.
    func up(to part: String) -> ConsoleLink {
        ConsoleLink(text: text("consolePart.\(part)"), href: path(part))
    }

    /// A cell with a link, or an empty one if the link is not offered.
    func link(_ key: String, to href: String, if isOffered: Bool) -> ConsoleCell {
        isOffered ? ConsoleCell(text(key), href: href) : ConsoleCell("")
    }

    /// Whether something is active.
    ///
    /// - Parameter other: the key of the text if it is not.
    func state(_ isActive: Bool, else other: String = "consoleDisabled") -> ConsoleCell {
        ConsoleCell(text(isActive ? "consoleActive" : other), tone: isActive ? .good : .bad)
    }

    /// Returns the page that reports a refused request.
    func refuse(_ refusal: AdministrativeRefusal?, part: String) -> ServerResponse {
        render(
            text("errorTitle"), part: part,
            sections: [
                ConsoleSection(links: [ConsoleLink(text: text("consoleBack"), href: root)])
            ], refusal: refusal)
    }

    /// A word from a fixed list, never text from the address.
    private var notice: String? {
        guard let done = visit.query["done"], done.utf8.count <= 32,
            done != removed.first?.thing.done
        else { return nil }
        return visit.language.texts["consoleDone.\(done)"]
    }

    private var style: String {
        let version = visit.pages.web.assets["console.css"]?.version ?? ""
        return "\(visit.prefix)/assets/console.css?v=\(version)"
    }

    /// The roles that count on this page.
    private var roleWords: String {
        let here = authority.roles.filter { $0.project == nil || $0.project == tenant?.project.id }
        return here.map { text("consoleRole.\($0.role.rawValue)") }.joined(separator: ", ")
    }
}
