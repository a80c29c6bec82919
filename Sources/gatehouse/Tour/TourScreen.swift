// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TerminalDialog

/// How the tour looks: chapters, what somebody does, what goes over the wire, what it proves.
struct TourScreen: Sendable {
    /// Longer lines are hard to read.
    static let greatestWidth = 78

    let style: TerminalStyle
    /// Whether somebody reads along, and says when to go on.
    let waits: Bool
    /// Columns; what is longer is broken between words.
    var width = Self.greatestWidth
    var write: @Sendable (String) -> Void = { StandardOutput.printNow($0) }

    func title(_ text: String) {
        write(style.paint(text, .title))
        write(style.paint(String(repeating: style.rule, count: width), .quiet))
    }

    func chapter(_ number: Int, _ title: String) async {
        if waits, number > 1 { await goOn() }
        write("")
        for (index, line) in wrapped(title, to: width - 3).enumerated() {
            write(style.paint("\(index == 0 ? "\(number)" : " ")  \(line)", .chosen))
        }
    }

    /// What happens, in words.
    func say(_ text: String) {
        write("")
        for line in wrapped(text, to: width - 3) { write("   " + line) }
    }

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

    private func goOn() async {
        write("")
        write(style.paint("   Return to go on", .quiet))
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                _ = readLine()
                done.resume()
            }
        }
    }

    private func wrapped(_ text: String, to width: Int) -> [String] {
        TerminalText.wrap(text, width: width)
    }
}
