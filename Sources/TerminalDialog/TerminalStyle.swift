// SPDX-License-Identifier: Apache-2.0

/// The capabilities of a terminal, from its environment.
package struct TerminalStyle: Sendable, Equatable {
    /// Off with `NO_COLOR` set to anything (no-color.org) or `TERM=dumb`.
    package var hasColours: Bool
    /// Whether the locale's character set is UTF-8; without it everything is ASCII.
    package var hasUnicode: Bool

    package init(hasColours: Bool, hasUnicode: Bool) {
        self.hasColours = hasColours
        self.hasUnicode = hasUnicode
    }

    package init(environment: [String: String]) {
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColours = !isPlain && environment["TERM"] != "dumb"
        // The first that is set and not empty decides (POSIX.1-2024 section 8.2).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").uppercased()
        hasUnicode = name.contains("UTF-8") || name.contains("UTF8")
    }

    /// The roles of colour; each is also expressed by words or a mark.
    package enum Role: Sendable {
        case title, quiet, mark, good, bad, chosen
    }

    /// The text in the role's colour.
    package func paint(_ text: String, _ role: Role) -> String {
        guard hasColours, !text.isEmpty else { return text }
        let code =
            switch role {
            case .title: "1"
            case .quiet: "2"
            case .mark: "36"
            case .good: "32"
            case .bad: "31"
            case .chosen: "1;36"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// A sign for the role, so that colour is never all there is.
    package func mark(_ role: Role) -> String {
        switch role {
        case .good: hasUnicode ? "✓" : "+"
        case .bad: hasUnicode ? "✗" : "!"
        case .chosen: hasUnicode ? "❯" : ">"
        default: hasUnicode ? "●" : "*"
        }
    }

    var bullet: String { hasUnicode ? "•" : "*" }
    package var bar: String { hasUnicode ? "│" : "|" }
    package var corner: (top: String, bottom: String) { hasUnicode ? ("╭", "╰") : ("+", "+") }
    package var ellipsis: String { hasUnicode ? "…" : "..." }
    package var rule: String { hasUnicode ? "─" : "-" }
}
