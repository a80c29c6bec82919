// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import CommandLineSupport
import Foundation
import Testing

@testable import gatehouse_agent

@Suite struct KeyStoreChoiceTests {
    @Test("A TPM that is not there is named, and nothing weaker is taken")
    func missingTPM() async throws {
        let folder = FileManager.default.temporaryDirectory.path()
        let command = try AgentRunCommand.parse([
            "--keys", "tpm", "--tpm", "/dev/no-such-tpm", "--state-dir", folder + "/no-such-state",
            "--profiles", folder,
        ])
        do {
            try await command.run()
            Issue.record("it runs")
        } catch let error as CommandError {
            #expect(error.description.contains("no TPM at /dev/no-such-tpm"))
        }
    }

    private func choice(
        _ keys: AgentRunCommand.Keys, _ before: KeyStoreKind?, hasTPM: Bool
    ) -> KeyStoreChoice {
        KeyStoreChoice(keys, before: before, hasTPM: hasTPM)
    }

    @Test("A new state without a TPM begins with a file, and that is said")
    func weaker() {
        let choice = choice(.auto, nil, hasTPM: false)
        #expect(choice.kind == .file && choice.isWeaker)
    }

    @Test("Where there is a TPM, where keys were before, and what was asked for is not warned of")
    func others() {
        #expect(choice(.auto, nil, hasTPM: true) == choice(.tpm, nil, hasTPM: true))
        #expect(choice(.auto, .file, hasTPM: false).isWeaker == false)
        #expect(choice(.auto, .file, hasTPM: true).kind == .file)
        // A TPM that is away is not replaced by a file.
        #expect(choice(.auto, .tpm, hasTPM: false).kind == .tpm)
        #expect(choice(.tpm, nil, hasTPM: false).kind == .tpm)
        for keys in [AgentRunCommand.Keys.tpm, .pkcs11, .file] {
            #expect(!choice(keys, nil, hasTPM: false).isWeaker)
        }
        #expect(choice(.pkcs11, .tpm, hasTPM: true).kind == .pkcs11)
    }
}
