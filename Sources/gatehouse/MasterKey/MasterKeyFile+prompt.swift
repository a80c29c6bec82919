// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import MasterKeyFormat
import Primitives
import TerminalDialog

extension PasswordPrompt {
    static let ofMasterKey = PasswordPrompt(
        .passphrase, "It opens the master key.", at: personAtInput)
    static let ofNewMasterKey = PasswordPrompt(
        .passphrase, "It seals the master key: without it the key is lost.", at: personAtInput)

    /// A script that redirects the input expects no question.
    private static let personAtInput: Device = {
        StandardInput.isTerminal ? controllingTerminal() : nil
    }
}

extension MasterKeyFile {
    /// Returns the file with the passphrase that opens it. If none is configured and the key is
    /// sealed to one, a person enters it; without a terminal, opening reports that it is missing.
    func withPassphrase(from prompt: PasswordPrompt) async throws -> MasterKeyFile {
        guard passphrase == nil, case .sealed(let sealed)? = try content(),
            case .passphrase = sealed.parameters, let entered = await prompt.ask()
        else { return self }
        guard !entered.isEmpty else {
            throw CommandError("the passphrase is empty", code: .badInput)
        }
        var file = self
        (file.passphrase, file.passphraseSetting) = (entered, nil)
        return file
    }

    /// A new passphrase: from a file, else from the environment, else entered twice.
    static func newPassphrase(
        file: String?, environment: String?, prompt: PasswordPrompt
    ) async throws -> Secret {
        let setting = "new-passphrase-file"
        let given = try secret(file.map { PathSetting(text: $0) }, of: setting, environment)
        if let given {
            try checkLength(of: given, setting: file == nil ? nil : setting)
            return given
        }
        let entered = try await prompt.choose { try checkLength(of: $0, setting: nil) }
        guard let entered else {
            throw CommandError(
                "no passphrase was given; without a terminal, use --new-passphrase-file or "
                    + MasterKeySealCommand.passphraseVariable, code: .badInput)
        }
        return entered
    }

    /// - Parameter setting: where the passphrase comes from, if it is a file.
    static func checkLength(of passphrase: Secret, setting: String?) throws(CommandError) {
        guard !passphrase.isEmpty else {
            throw CommandError("the passphrase is empty", code: .badInput, setting: setting)
        }
        guard passphrase.revealText().count >= 12 else {
            throw CommandError(
                "the passphrase must have at least 12 characters", code: .badInput,
                setting: setting)
        }
    }
}
