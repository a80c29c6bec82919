// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TerminalDialog

/// How the tour looks: chapters, what somebody does, what goes over the wire, what it proves.
struct TourScreen: Sendable {
    private static let width = 78

    let style: TerminalStyle
    /// Whether somebody reads along, and says when to go on.
    let waits: Bool
    var write: @Sendable (String) -> Void = { StandardOutput.printNow($0) }

    func title(_ text: String) {
        write(style.paint(text, .title))
        write(style.paint(String(repeating: style.rule, count: Self.width), .quiet))
    }

    func chapter(_ number: Int, _ title: String) async {
        if waits, number > 1 { await goOn() }
        write("")
        write(style.paint("\(number)  \(title)", .chosen))
    }

    /// What happens, in words.
    func say(_ text: String) {
        write("")
        for line in wrapped(text, to: Self.width - 3) { write("   " + line) }
    }

    /// What goes to the provider.
    func sent(_ text: String, _ body: String) {
        let arrow = style.hasUnicode ? "→" : "->"
        write("   \(style.paint("\(arrow) \(text)", .mark))")
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
        for line in wrapped(body, to: Self.width - 5) {
            write("     " + style.paint(line, .quiet))
        }
    }

    /// What it proves.
    func proves(_ text: String) {
        for (index, line) in wrapped(text, to: Self.width - 5).enumerated() {
            let mark = index == 0 ? style.paint(style.mark(.good), .good) : " "
            write("   \(mark) \(line)")
        }
    }

    func end(_ text: String) {
        write("")
        write(style.paint(String(repeating: style.rule, count: Self.width), .quiet))
        write(text)
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
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
