// SPDX-License-Identifier: Apache-2.0

/// The content of the dialog at one moment, as a value: the caller, the purpose and the current
/// step.
package struct TerminalPanel: Sendable, Equatable {
    /// The current step.
    package enum Step: Sendable, Equatable {
        /// No step yet.
        case none
        /// An action elsewhere: a touch, the insertion of a key.
        case notice(String)
        /// A secret is typed; only how many characters is shown.
        case secret(prompt: String, typed: Int)
        /// A line is typed.
        case line(prompt: String, typed: String)
        /// One of several; `selected` is in the range of `items`.
        case choice(prompt: String, items: [String], selected: Int)
    }

    package var title: String
    /// The caller and the purpose: a few sentences.
    package var subject: [String]
    /// The error before this step.
    package var problem: String?
    package var step: Step

    package init(
        title: String, subject: [String], problem: String? = nil, step: Step = .none
    ) {
        self.title = title
        self.subject = subject
        self.problem = problem
        self.step = step
    }

    /// The widest that text gets, however wide the terminal is.
    static let greatestWidth = 72
    /// The maximum number of choices that are displayed at once.
    static let greatestItems = 8

    /// The lines to show in a terminal of so many columns; none is wider.
    package func lines(columns: Int, style: TerminalStyle) -> [String] {
        let width = min(max(columns, 12), Self.greatestWidth)
        let isNarrow = columns < 40
        let body = content(width: width - (isNarrow ? 0 : 3), style: style)
        if isNarrow { return [style.paint(clipped(title, width), .title)] + body }
        let rule = max(0, width - 4 - TerminalText.width(of: title))
        let corners = style.corner
        let head =
            style.paint("\(corners.top)\(style.rule) ", .quiet) + style.paint(title, .title)
            + style.paint(" " + String(repeating: style.rule, count: rule), .quiet)
        let side = style.paint(style.bar, .quiet)
        let foot = style.paint(
            corners.bottom + String(repeating: style.rule, count: width - 1), .quiet)
        return [head] + body.map { $0.isEmpty ? side : "\(side)  \($0)" } + [foot]
    }

    private func clipped(_ text: String, _ width: Int) -> String {
        TerminalText.wrap(text, width: width).first ?? ""
    }

    private func content(width: Int, style: TerminalStyle) -> [String] {
        var lines = subject.flatMap { TerminalText.wrap($0, width: width) }
        if !lines.isEmpty { lines.append("") }
        if let problem {
            lines += marked(problem, .bad, width, style)
        }
        lines += stepLines(width: width, style: style)
        lines += ["", style.paint(clipped(hint, width), .quiet)]
        return lines
    }

    /// A mark, and the text in a column behind it.
    private func marked(
        _ text: String, _ role: TerminalStyle.Role, _ width: Int, _ style: TerminalStyle
    ) -> [String] {
        let colour: TerminalStyle.Role = role
        return TerminalText.wrap(text, width: width - 2).enumerated().map { index, line in
            let lead = index == 0 ? style.paint(style.mark(role), colour) : " "
            return lead + " " + (role == .bad ? style.paint(line, .bad) : line)
        }
    }

    private func stepLines(width: Int, style: TerminalStyle) -> [String] {
        switch step {
        case .none: return []
        case .notice(let text): return marked(text, .mark, width, style)
        case .secret(let prompt, let typed): return secretLines(prompt, typed, width, style)
        case .line(let prompt, let typed):
            return TerminalText.wrap("\(prompt) \(typed)\(cursor(style))", width: width)
        case .choice(let prompt, let items, let selected):
            return TerminalText.wrap(prompt, width: width).map { style.paint($0, .title) }
                + choiceLines(items, selected, width, style)
        }
    }

    /// The minimum width for dots after a prompt; otherwise they are displayed below it.
    private static let leastDots = 10

    private func secretLines(
        _ prompt: String, _ typed: Int, _ width: Int, _ style: TerminalStyle
    ) -> [String] {
        let beside = width - TerminalText.width(of: prompt) - 3
        let isBeside = beside >= Self.leastDots
        let room = isBeside ? beside : max(1, width - 2)
        let dots = String(repeating: style.bullet, count: min(typed, room)) + cursor(style)
        if isBeside { return ["\(style.paint(prompt, .title)) \(dots)"] }
        return TerminalText.wrap(prompt, width: width).map { style.paint($0, .title) } + [dots]
    }

    private func choiceLines(
        _ items: [String], _ selected: Int, _ width: Int, _ style: TerminalStyle
    ) -> [String] {
        let first = max(0, min(selected - Self.greatestItems / 2, items.count - Self.greatestItems))
        let shown = items.indices.dropFirst(first).prefix(Self.greatestItems)
        return shown.flatMap { index in
            let isChosen = index == selected
            let room = width - 5
            let wrapped = TerminalText.wrap("\(index + 1) \(items[index])", width: room)
            return wrapped.enumerated().map { line, text in
                let lead = line == 0 ? (isChosen ? style.mark(.chosen) : " ") : " "
                let row = "\(lead) \(line == 0 ? "" : "  ")\(text)"
                return isChosen ? style.paint(row, .chosen) : row
            }
        }
    }

    private func cursor(_ style: TerminalStyle) -> String { style.hasUnicode ? "▏" : "_" }

    /// Which keys do what.
    private var hint: String {
        switch step {
        case .none, .notice: "Esc cancels"
        case .secret, .line: "Enter continues, Esc cancels"
        case .choice: "Up, Down or a number; Enter; Esc"
        }
    }
}
