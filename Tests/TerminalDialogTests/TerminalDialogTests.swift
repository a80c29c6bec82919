// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support
import Synchronization
import TerminalDialog
import Testing

@Suite struct TerminalDialogTests {
    private let plain = TerminalStyle(hasColours: false, hasUnicode: true)

    private func open(
        _ terminal: PlayedTerminal, onCancel: (@Sendable () -> Void)? = nil
    ) async -> TerminalDialog {
        let dialog = TerminalDialog(
            title: "Security key", subject: ["example.com asks."], device: terminal, style: plain,
            onCancel: onCancel)
        await dialog.open()
        return dialog
    }

    @Test("A secret is never shown, only how long it is")
    func secret() async throws {
        let terminal = PlayedTerminal()
        let dialog = await open(terminal)
        async let answer = dialog.secret("PIN")
        await terminal.shows("PIN")
        terminal.type("12x\u{7F}34\r")
        #expect(try await answer == Secret("1234"))
        #expect(terminal.text.contains("••••"))
        #expect(!terminal.text.contains("1234"))
    }

    @Test("Arrows and numbers choose")
    func choice() async throws {
        let terminal = PlayedTerminal()
        let dialog = await open(terminal)
        async let answer = dialog.choice("Which?", ["one", "two", "three"])
        await terminal.shows("Which?")
        terminal.type("\u{1B}[B\u{1B}[B\u{1B}[A\r")
        #expect(try await answer == 1)
        async let second = dialog.choice("And now?", ["one", "two", "three"])
        await terminal.shows("And now?")
        terminal.type("9\u{1B}[B3\r")
        #expect(try await second == 2)
    }

    @Test("A single choice is selected")
    func onlyChoice() async throws {
        let dialog = await open(PlayedTerminal())
        #expect(try await dialog.choice("Which?", ["one"]) == 0)
    }

    @Test("Esc, Ctrl-C, Ctrl-D and a terminal that goes away cancel", arguments: 0..<4)
    func cancel(_ way: Int) async throws {
        let terminal = PlayedTerminal()
        let count = Mutex(0)
        let dialog = await open(terminal) { count.withLock { $0 += 1 } }
        let answer = Task { try await dialog.secret("PIN") }
        await terminal.shows("PIN")
        switch way {
        case 0: terminal.type("\u{1B}")
        case 1: terminal.type("\u{3}")
        case 2: terminal.type("\u{4}")
        default: terminal.hangUp()
        }
        await #expect(throws: TerminalDialog.Cancelled.self) { try await answer.value }
        await dialog.close("no", isGood: false)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("A cancelled task takes its question back")
    func cancelledTask() async throws {
        let terminal = PlayedTerminal()
        let dialog = await open(terminal)
        let task = Task { try await dialog.secret("PIN") }
        await terminal.shows("PIN")
        task.cancel()
        await #expect(throws: TerminalDialog.Cancelled.self) { try await task.value }
    }

    @Test("Closing leaves one line, gives the terminal back once, and ends a question")
    func close() async throws {
        let terminal = PlayedTerminal()
        let dialog = await open(terminal)
        let task = Task { try await dialog.line("Name") }
        await terminal.shows("Name")
        await dialog.close("Done.")
        await dialog.close("Done again.")
        await #expect(throws: TerminalDialog.Cancelled.self) { try await task.value }
        #expect(terminal.closed == 1)
        #expect(terminal.text.contains("✓ Done."))
        #expect(!terminal.text.contains("again"))
        await #expect(throws: TerminalDialog.Cancelled.self) { try await dialog.secret("PIN") }
    }
}
