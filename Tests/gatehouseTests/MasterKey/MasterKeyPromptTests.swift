// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import MasterKeyFormat
import Primitives
import ProviderSupport
import Support
import TerminalDialog
import Testing

@testable import gatehouse

/// A passphrase that a person enters at the terminal.
@Suite struct MasterKeyPromptTests {
    private let folder = TestFolder()
    private let terminal = PlayedTerminal()
    private static let passphrase = "correct horse battery"

    private func prompt() -> PasswordPrompt {
        let terminal = terminal
        return PasswordPrompt(.passphrase, "A test.", at: { terminal })
    }

    /// Answers each prompt in turn.
    private func type(_ entries: (prompt: String, text: String)...) async {
        for (prompt, text) in entries {
            await terminal.shows(prompt)
            terminal.type(text + "\r")
        }
    }

    private func new(
        file: String? = nil, environment: String? = nil
    ) -> Task<Secret, any Error> {
        let prompt = prompt()
        return Task {
            try await MasterKeyFile.newPassphrase(
                file: file, environment: environment, prompt: prompt)
        }
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try SecretFile.replace(folder.path(name), Array(text.utf8))
        return folder.path(name)
    }

    private func sealedFile() throws -> MasterKeyFile {
        let file = MasterKeyFile(
            path: folder.path("master.key"), passphrase: Secret(Self.passphrase),
            cost: TestProvider.cheapest)
        _ = try file.create(SeededRandom(seed: 1))
        return MasterKeyFile(path: file.path)
    }

    // MARK: A new passphrase

    @Test("A new passphrase is entered twice, and is not displayed")
    func entered() async throws {
        let chosen = new()
        await type(("New passphrase:", Self.passphrase), ("The same again:", Self.passphrase))
        #expect(try await chosen.value == Secret(Self.passphrase))
        #expect(!terminal.text.contains("horse") && terminal.closed == 1)
    }

    @Test("A passphrase of the file, or else of the environment, is not asked for")
    func given() async throws {
        let file = try write("passphrase", "of the file itself\n")
        let environment = "of the environment"
        #expect(
            try await new(file: file, environment: environment).value
                == Secret("of the file itself"))
        #expect(try await new(environment: environment).value == Secret(environment))
        #expect(terminal.text.isEmpty)
    }

    @Test(
        "An empty and a short passphrase are refused after the first entry",
        arguments: [("", "is empty"), ("eleven char", "at least 12 characters")])
    func short(_ text: String, _ reason: String) async {
        let chosen = new()
        await type(("New passphrase:", text))
        let error = await #expect(throws: CommandError.self) { try await chosen.value }
        #expect(error?.description.contains(reason) == true)
        #expect(error?.code == .badInput && error?.setting == nil)
        #expect(!terminal.text.contains("The same again:"))
    }

    @Test("Two passphrases that differ are refused")
    func different() async {
        let chosen = new()
        await type(("New passphrase:", Self.passphrase), ("The same again:", "correct horse"))
        let error = await #expect(throws: CommandError.self) { try await chosen.value }
        #expect(error?.description.contains("the two passphrases differ") == true)
    }

    @Test("Without a terminal, and if the person gives up, the message names the other sources")
    func noTerminal() async throws {
        let chosen = new()
        await terminal.shows("New passphrase:")
        terminal.type("\u{3}")
        let absent = PasswordPrompt(.passphrase, "A test.", at: { nil })
        let without = Task {
            try await MasterKeyFile.newPassphrase(file: nil, environment: "", prompt: absent)
        }
        for task in [chosen, without] {
            let error = await #expect(throws: CommandError.self) { try await task.value }
            let text = error?.description ?? ""
            #expect(text.contains("without a terminal, use --new-passphrase-file"))
            #expect(text.contains("GATEHOUSE_MASTER_KEY_NEW_PASSPHRASE"))
        }
    }

    @Test("A short passphrase of a file is refused with the flag of that file")
    func shortFile() async throws {
        let file = try write("passphrase", "eleven char\n")
        let error = await #expect(throws: CommandError.self) { try await new(file: file).value }
        #expect(error?.setting == "new-passphrase-file")
    }

    // MARK: The passphrase that opens the key

    @Test("The passphrase of a sealed key is asked for once, and opens it")
    func opens() async throws {
        let (file, prompt) = (try sealedFile(), prompt())
        let opened = Task { try await file.withPassphrase(from: prompt).read() }
        await type(("Passphrase:", Self.passphrase))
        #expect(try await opened.value != nil)
        #expect(!terminal.text.contains("horse") && terminal.closed == 1)
        #expect(!terminal.text.contains("The same again:"))
    }

    @Test(
        "A wrong and an empty passphrase open nothing, and the message names no setting",
        arguments: [("correct horse", "does not open"), ("", "is empty")])
    func wrong(_ text: String, _ reason: String) async throws {
        let (file, prompt) = (try sealedFile(), prompt())
        let opened = Task { try await file.withPassphrase(from: prompt).read() }
        await type(("Passphrase:", text))
        let error = await #expect(throws: CommandError.self) { try await opened.value }
        #expect(error?.description.contains(reason) == true && error?.setting == nil)
    }

    @Test("Nothing is asked for a key that is not sealed, and if a passphrase is configured")
    func notAsked() async throws {
        let plain = MasterKeyFile(path: folder.path("plain.key"))
        _ = try plain.create(SeededRandom(seed: 2))
        #expect(try await plain.withPassphrase(from: prompt()).read() != nil)
        var configured = try sealedFile()
        configured.passphrase = Secret(Self.passphrase)
        #expect(try await configured.withPassphrase(from: prompt()).read() != nil)
        #expect(terminal.text.isEmpty)
    }

    @Test("Without a terminal, a sealed key is refused with the settings that have the passphrase")
    func notConfigured() async throws {
        let file = try sealedFile()
        let absent = PasswordPrompt(.passphrase, "A test.", at: { nil })
        let error = await #expect(throws: CommandError.self) {
            try await file.withPassphrase(from: absent).read()
        }
        #expect(error?.description.contains("GATEHOUSE_MASTER_KEY_PASSPHRASE") == true)
    }
}
