// SPDX-License-Identifier: Apache-2.0
import Foundation
import TerminalDialog

/// Writes the tour to the terminal: chapters, commands, requests, and what they prove.
struct TourScreen: Sendable {
    /// Longer lines are hard to read.
    static let greatestWidth = 78

    let style: TerminalStyle
    /// Whether the tour waits for the reader between chapters.
    let waits: Bool
    /// The width in columns. Longer text is wrapped between words.
    var width = Self.greatestWidth
    var write: @Sendable (String) -> Void = { StandardOutput.printNow($0) }

    func title(_ text: String) {
        write(style.paint(text, .title))
        write(style.paint(String(repeating: style.rule, count: width), .quiet))
    }

    /// - Throws: `CancellationError` if the tour is stopped while it waits for the reader.
    func chapter(_ number: Int, _ title: String) async throws {
        if waits, number > 1 { try await goOn() }
        write("")
        for (index, line) in wrapped(title, to: width - 3).enumerated() {
            write(style.paint("\(index == 0 ? "\(number)" : " ")  \(line)", .chosen))
        }
    }

    /// Starts a new line, in case the current one contains text such as ^C.
    func gap() { write("") }

    /// Writes an explanation.
    func say(_ text: String) {
        write("")
        for line in wrapped(text, to: width - 3) { write("   " + line) }
    }

    // MARK: Commands

    /// A command as a shell takes it: broken between words only, and with a backslash, so that it can be
    /// copied. One word that is wider than the terminal stays whole.
    func command(_ words: [String]) {
        var rows = [""]
        for word in words {
            let row = rows.removeLast()
            let isRoom =
                TerminalText.width(of: row) + 1 + TerminalText.width(of: word) <= width - 7
            rows += row.isEmpty ? [word] : isRoom ? ["\(row) \(word)"] : [row, word]
        }
        write("")
        for (index, row) in rows.enumerated() {
            let prompt = style.paint(index == 0 ? "$" : " ", .quiet)
            let end = index == rows.count - 1 ? "" : " \\"
            write("   \(prompt) \(style.paint(row + end, .title))")
        }
    }

    /// A line that a program prints.
    func printed(_ line: String) {
        for part in wrapped(line.withoutControls, to: width - 5) {
            write("   \(style.paint(style.bar, .quiet)) \(part)")
        }
    }

    /// Writes a prompt of a program and the entered text. A PIN or a password is masked.
    func printed(_ question: String, typed: String, isHidden: Bool) {
        let bullet = style.hasUnicode ? "•" : "*"
        let shown = isHidden ? String(repeating: bullet, count: typed.count) : typed
        printed("\(question) \(shown)")
    }

    /// Writes lines that are no wider than ``panelWidth``.
    func panel(_ lines: [String]) {
        for line in lines { write("   " + line) }
    }

    var panelWidth: Int { width - 3 }

    // MARK: Messages

    /// What goes to the provider.
    func sent(_ text: String, _ body: String) {
        let arrow = style.hasUnicode ? "→" : "->"
        for (index, line) in wrapped(text, to: width - 5).enumerated() {
            let mark = index == 0 ? arrow : String(repeating: " ", count: arrow.count)
            write("   \(style.paint("\(mark) \(line)", .mark))")
        }
        detail(body)
    }

    /// What comes back.
    func received(_ status: Int, _ body: String) {
        let arrow = style.hasUnicode ? "←" : "<-"
        write("   \(style.paint("\(arrow) \(status)", status < 400 ? .good : .bad))")
        detail(body)
    }

    /// What does not come back.
    func lost() {
        let cross = style.mark(.bad)
        write("   \(style.paint("\(cross) the answer gets lost", .bad))")
    }

    private func detail(_ body: String) {
        guard !body.isEmpty else { return }
        for line in wrapped(body, to: width - 5) {
            write("     " + style.paint(line, .quiet))
        }
    }

    /// What it proves.
    func proves(_ text: String) {
        for (index, line) in wrapped(text, to: width - 5).enumerated() {
            let mark = index == 0 ? style.paint(style.mark(.good), .good) : " "
            write("   \(mark) \(line)")
        }
    }

    func end(_ text: String) {
        write("")
        write(style.paint(String(repeating: style.rule, count: width), .quiet))
        for line in wrapped(text, to: width) { write(line) }
    }

    private func goOn() async throws {
        write("")
        write(style.paint("   Return to go on", .quiet))
        // The read cannot be cancelled. It ends with the process.
        let (lines, line) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            _ = readLine()
            line.finish()
        }
        for await _ in lines {}
        try Task.checkCancellation()
    }

    private func wrapped(_ text: String, to width: Int) -> [String] {
        TerminalText.wrap(text.replacing("…", with: style.ellipsis), width: width)
    }
}
