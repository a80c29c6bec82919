// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The dialog from a person's view: PIN, errors, cancelling, wide and narrow.
    @Suite(
        "The dialog in a terminal", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    struct TerminalDialogStory {
        private func session(
            _ key: EmulatedKey, _ arguments: [String], columns: Int = 80,
            environment: [String: String] = [:]
        ) async throws -> TerminalSession {
            try await TerminalSession(
                Repository.gatehouse,
                ["security-key"] + arguments + ["--device", key.device], columns: columns,
                environment: environment)
        }

        private func keep(_ screen: String, _ name: String) throws {
            try Data(screen.utf8).write(to: try Repository.outputFile("terminal-\(name).txt"))
        }

        @Test("a new PIN is typed twice, and never seen")
        func newPIN() async throws {
            let key = try await EmulatedKey()
            let terminal = try await session(key, ["set-pin"])
            try await terminal.shows("New PIN")
            try await terminal.type("2580")
            let typed = try await terminal.shows("••••")
            try keep(typed, "new-pin")
            try await terminal.press("Enter")
            try await terminal.shows("The same again")
            try await terminal.type("2581")
            try await terminal.press("Enter")
            try keep(try await terminal.shows("not the same"), "new-pin-differs")
            for _ in 0..<2 {
                try await terminal.type("2580")
                try await terminal.press("Enter")
                if try await terminal.screen().contains("New PIN") {
                    try await terminal.shows("The same again")
                }
            }
            #expect(try await terminal.status() == 0)
            let screen = try await terminal.screen()
            #expect(screen.contains("The PIN is set."))
            #expect(!screen.contains("2580"))
            try await key.stop()
        }

        @Test(
            "a wrong PIN is said with the tries that are left; Esc gives up", arguments: [80, 34])
        func wrongPIN(_ columns: Int) async throws {
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: "2580")
            let terminal = try await session(key, ["credentials", "list"], columns: columns)
            try await terminal.shows("PIN of")
            try await terminal.type("1111")
            try await terminal.press("Enter")
            let screen = try await terminal.shows("7 tries")
            try keep(screen, "wrong-pin-\(columns)")
            for line in screen.split(separator: "\n") { #expect(line.count <= columns) }
            try await terminal.press("Escape")
            #expect(try await terminal.status() == 1)
            #expect(try await terminal.screen().contains("You cancelled"))
            try await key.stop()
        }

        @Test("while one program asks for a PIN another one is told that the key is in use")
        func twoPrograms() async throws {
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: "2580")
            let terminal = try await session(key, ["credentials", "list"])
            try await terminal.shows("PIN of")
            let other = try await key.command("info")
            #expect(other.status == 1 && other.errors.contains("Another program"), "\(other)")
            try await terminal.type("2580")
            try await terminal.press("Enter")
            #expect(try await terminal.status() == 0)
            let after = try await key.command("info")
            #expect(after.status == 0, "\(after)")
            try await key.stop()
        }

        @Test("what destroys is named, and No is what Enter means", arguments: ["Enter", "C-c"])
        func reset(_ press: String) async throws {
            let key = try await EmulatedKey()
            let terminal = try await session(key, ["reset"])
            let screen = try await terminal.shows("This destroys every credential")
            try keep(screen, "reset-\(press)")
            try await terminal.press(press)
            #expect(try await terminal.status() == 1)
            let info = try await key.command("info")
            #expect(info.status == 0)
            try await key.stop()
        }

        @Test("no colour where none is wanted")
        func plain() async throws {
            let key = try await EmulatedKey()
            let coloured = try await session(key, ["reset"])
            try await coloured.shows("This destroys")
            #expect(try await coloured.colouredScreen().contains("\u{1B}[1"))
            try await coloured.press("Escape")
            #expect(try await coloured.status() == 1)
            let plain = try await session(key, ["reset"], environment: ["NO_COLOR": "1"])
            try await plain.shows("This destroys")
            #expect(!(try await plain.colouredScreen().contains("\u{1B}[1")))
            try await plain.press("Escape")
            #expect(try await plain.status() == 1)
            try await key.stop()
        }
    }
}
