// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import Support
import TerminalDialog
import Testing

/// A password that is typed at a terminal.
@Suite struct PasswordPromptTests {
    private let terminal = PlayedTerminal()

    private func prompt(_ kind: PasswordPrompt.Kind = .password) -> PasswordPrompt {
        let terminal = terminal
        return PasswordPrompt(kind, "A new one for anna.", at: { terminal })
    }

    /// Types the first entry at its prompt, and then the second.
    private func choose(_ first: String, _ second: String) async throws -> Secret? {
        async let chosen = prompt().choose()
        await terminal.shows("New password:")
        terminal.type(first + "\r")
        await terminal.shows("The same again:")
        terminal.type(second + "\r")
        return try await chosen
    }

    @Test("A password is asked once, and is not displayed")
    func once() async {
        async let asked = prompt(.passphrase).ask()
        await terminal.shows("Passphrase:")
        terminal.type("Drowssap 1\r")
        #expect(await asked == Secret("Drowssap 1"))
        #expect(!terminal.text.contains("Drowssap") && terminal.closed == 1)
    }

    @Test("A new password is asked twice, and neither entry is displayed")
    func twice() async throws {
        #expect(try await choose("Drowssap 1", "Drowssap 1") == Secret("Drowssap 1"))
        #expect(!terminal.text.contains("Drowssap") && terminal.closed == 1)
    }

    @Test("Two entries that differ are refused, and the terminal is restored")
    func different() async {
        let error = await #expect(throws: CommandError.self) { try await choose("one", "two") }
        #expect(error?.description.contains("the two passwords differ") == true)
        #expect(error?.code == .badInput && terminal.closed == 1)
    }

    @Test("An entry that is not acceptable is refused before it is asked again")
    func check() async {
        let prompt = prompt(.passphrase)
        let chosen = Task { try await prompt.choose { _ in throw CommandError("too short") } }
        await terminal.shows("New passphrase:")
        terminal.type("x\r")
        let error = await #expect(throws: CommandError.self) { try await chosen.value }
        #expect(error?.description == "too short")
        #expect(!terminal.text.contains("The same again:") && terminal.closed == 1)
    }

    @Test("A person who gives up, at either prompt, chooses nothing")
    func givenUp() async throws {
        async let chosen = prompt().choose()
        await terminal.shows("New password:")
        terminal.type("one\r")
        await terminal.shows("The same again:")
        terminal.type("\u{3}")
        #expect(try await chosen == nil)
        #expect(terminal.closed == 1)
    }

    @Test("Without a terminal nothing is asked")
    func noTerminal() async throws {
        let prompt = PasswordPrompt(.password, "For anna.", at: { nil })
        #expect(await prompt.ask() == nil)
        #expect(try await prompt.choose() == nil)
    }
}
