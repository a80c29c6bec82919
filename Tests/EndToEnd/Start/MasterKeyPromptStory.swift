// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `gatehouse master-key` with a passphrase that a person types.
    @Suite("The passphrase of the master key at a terminal")
    struct MasterKeyPromptStory {
        private static let passphrase = "correct horse battery"
        private let data: TemporaryDirectory

        init() throws {
            data = try TemporaryDirectory()
            try data.write(String(repeating: "A", count: 43) + "\n", to: "master.key")
        }

        private var key: String {
            get throws { try String(contentsOf: data.file("master.key"), encoding: .utf8) }
        }

        private func words(_ verb: String, _ more: String...) -> [String] {
            ["master-key", verb] + more + ["--data-dir", data.url.path()]
        }

        /// Runs the command in a terminal, types the entries, and returns the last screen.
        private func type(
            _ words: [String], _ entries: (prompt: String, text: String)..., status: Int32 = 0
        ) async throws -> String {
            let terminal = try await TerminalSession(Repository.gatehouse, words, columns: 200)
            for (prompt, text) in entries {
                try await terminal.shows(prompt)
                try await terminal.type(text)
                let typed = try await terminal.shows("•")
                #expect(!typed.contains(text))
                try await terminal.press("Enter")
            }
            #expect(try await terminal.status() == status)
            return try await terminal.screen()
        }

        @Test(
            "the passphrase is typed twice to seal the key and once to open it, and is not displayed",
            .enabled(if: TerminalSession.isAvailable, "needs tmux"))
        func terminal() async throws {
            let before = try key
            let sealed = try await type(
                words("seal", "--to", "passphrase"), ("New passphrase:", Self.passphrase),
                ("The same again:", Self.passphrase))
            #expect(sealed.contains("is sealed to a passphrase"))
            let line = try key
            #expect(line.hasPrefix("gatehouse-sealed-master-key-1."))
            let wrong = try await type(
                words("unseal"), ("Passphrase:", "wrong horse battery"), status: 1)
            #expect(wrong.contains("the passphrase does not open"))
            #expect(try key == line)
            let unsealed = try await type(words("unseal"), ("Passphrase:", Self.passphrase))
            #expect(unsealed.contains("is not sealed"))
            #expect(try key == before)
        }

        @Test("without a terminal the command does not wait, and names the other sources")
        func noTerminal() async throws {
            let before = try key
            let refused = try await Command.run(
                Repository.gatehouse, words("seal", "--to", "passphrase"))
            #expect(refused.status == 2)
            #expect(
                refused.errors.contains("without a terminal, use --new-passphrase-file"),
                "\(refused.errors)")
            #expect(try key == before)
        }
    }
}
