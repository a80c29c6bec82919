// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Synchronization
import TerminalDialog
import Testing

@testable import CommandLineSupport

@Suite struct AgentTerminalTests {
    private final class Screen: Sendable {
        private let text = Mutex("")
        func write(_ more: String) { text.withLock { $0 += more } }
        var all: String { text.withLock { $0 } }
        /// What is left standing, without what was taken back.
        var rows: [String] {
            all.split(separator: "\n").map { row in
                String(row.split(separator: "\u{1B}[K").last ?? "")
                    .replacing("\r", with: "")
            }
        }
    }

    private func told(
        columns: Int, isTerminal: Bool = true, _ tell: (AgentTerminal) -> Void
    ) -> Screen {
        let screen = Screen()
        tell(
            AgentTerminal(
                style: TerminalStyle(hasColours: false, hasUnicode: true), isTerminal: isTerminal,
                columns: { columns }, write: { screen.write($0) }))
        return screen
    }

    @Test("No step is wider than the terminal", arguments: [30, 40, 60, 90])
    func fits(_ columns: Int) {
        let screen = told(columns: columns) { terminal in
            for step in AgentStep.allCases { terminal.show(step) }
            terminal.finish(isGood: false)
        }
        for part in screen.all.split(whereSeparator: { "\n\r".contains($0) }) {
            let shown = part.replacing("\u{1B}[K", with: "")
            #expect(TerminalText.width(of: shown) < columns, "\(shown)")
        }
    }

    @Test("The default of Enter is before the colon, and control characters have no effect")
    func prompt() {
        #expect(
            AgentTerminal.prompt("Your user name:", "anna") == "Your user name (Enter for anna):")
        #expect(AgentTerminal.prompt("Press Enter.", "look") == "Press Enter. (Enter for look)")
        #expect(AgentTerminal.prompt("Your user name:", nil) == "Your user name:")
        #expect(!AgentTerminal.prompt("a\u{1B}[2J:", "\u{1B}c").contains("\u{1B}"))
    }

    @Test("A step that failed is displayed as failed; a log contains only completed steps")
    func failed() {
        let broken = told(columns: 80) {
            $0.show(.signingIn)
            $0.finish(isGood: false)
        }
        #expect(broken.rows == ["  ✗ Signing in"])
        let log = told(columns: 80, isTerminal: false) {
            $0.show(.signingIn)
            $0.show(.signedIn)
        }
        #expect(log.all == "  ✓ Signed in\n")
    }

    @Test("A sentence of an extension is displayed, and its control characters have no effect")
    func notice() async throws {
        let screen = Screen()
        let terminal = AgentTerminal(
            style: TerminalStyle(hasColours: false, hasUnicode: true), isTerminal: false,
            columns: { 80 }, write: { screen.write($0) })
        #expect(try await terminal.answer(.notice("Look at your phone.\u{1B}[2J")) == "")
        #expect(screen.all.contains("Look at your phone."))
        #expect(!screen.all.contains("\u{1B}"))
    }
}
