// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import MasterKeyFormat
import Platform
import Primitives

/// `gatehouse master-key seal`
struct MasterKeySealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal the key to a passphrase or to a token; the key stays the same.",
        discussion: """
            The file is replaced in one step. Running providers do not notice; set the passphrase \
            or the token in their configuration before their next start. A passphrase has at least \
            12 characters. Without --new-passphrase-file and the variable, the command prompts for \
            it twice at the terminal.

            Copies of the file from before still contain the key itself: delete them. A key that \
            is sealed to a token is lost with the token: before, write a copy that is sealed to a \
            passphrase (--copy), and save it in another place.

            Examples:

              gatehouse master-key seal --to passphrase
              gatehouse master-key seal --to passphrase --new-passphrase-file passphrase
              gatehouse master-key seal --to token --master-key-token gatehouse \\
                --master-key-pkcs11-module /usr/lib/softhsm/libsofthsm2.so --master-key-pin-file pin
            """)

    static let passphraseVariable = "GATEHOUSE_MASTER_KEY_NEW_PASSPHRASE"

    enum Target: String, ExpressibleByArgument, CaseIterable, Sendable { case passphrase, token }

    @Option(help: "What seals the key: passphrase or token.")
    var to: Target
    @Option(
        help: ArgumentHelp(
            "The new passphrase (GATEHOUSE_MASTER_KEY_NEW_PASSPHRASE).", valueName: "file"))
    var newPassphraseFile: String?
    @Option(
        name: .customLong("copy"),
        help: ArgumentHelp(
            "Write the sealed key to this new file, and leave the file of the key unchanged.",
            valueName: "file"))
    var newFile: String?
    @OptionGroup var options: MasterKeyOptions

    func run() async throws {
        let path = try await options.withOpenableFile { file in
            let protector = try await self.protector(of: file)
            return try await BlockingCall.run { [newFile] in
                // Before a key is created on the token.
                let target = try newFile ?? file.replaceablePath
                let key = try file.open(try file.existingContent())
                let sealed = try file.seal(key, to: protector, SystemRandomSource())
                do {
                    try Self.write(sealed.line, to: target, isNew: newFile != nil)
                } catch {
                    protector.discard(sealed, unlessIn: target)
                    throw error
                }
                return target
            }
        }
        let json: JSONValue = ["file": .string(path), "source": .string(to.rawValue)]
        print(options.output.json ? json.text : "\(path) is sealed to a \(to.rawValue)")
    }

    private func protector(of file: MasterKeyFile) async throws -> MasterKeyProtector {
        switch to {
        case .token:
            guard let token = file.token else {
                throw CommandError(
                    "name the token: --master-key-pkcs11-module, --master-key-token and "
                        + "--master-key-pin-file", code: .badInput)
            }
            return .token(token)
        case .passphrase:
            return .passphrase(
                try await MasterKeyFile.newPassphrase(
                    file: newPassphraseFile,
                    environment: ProcessEnvironment[Self.passphraseVariable],
                    prompt: .ofNewMasterKey))
        }
    }

    /// - Parameter isNew: whether the file must not exist; otherwise it is replaced.
    static func write(_ line: [UInt8], to path: String, isNew: Bool) throws {
        let line = line + [UInt8(ascii: "\n")]
        guard isNew else { return try SecretFile.replace(path, line) }
        guard !FileSystem.exists(path), try SecretFile.create(path, line) == line else {
            throw CommandError("\(path) exists; name a new file", code: .badInput)
        }
    }
}

/// `gatehouse master-key unseal`
struct MasterKeyUnsealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal",
        abstract: "Write the key itself into its file. Readers of the file then have the key.",
        discussion: """
            Remove the passphrase and the token from the configuration of the providers before \
            their next start.

            Example: gatehouse master-key unseal --master-key-passphrase-file passphrase
            """)
    @Option(
        name: .customLong("copy"),
        help: ArgumentHelp(
            "Write the key to this new file, and leave the file of the key unchanged.",
            valueName: "file"))
    var newFile: String?
    @OptionGroup var options: MasterKeyOptions

    func run() async throws {
        let path = try await options.withOpenableFile { file in
            try await BlockingCall.run { [newFile] in
                let target = try newFile ?? file.replaceablePath
                let key = try file.open(try file.existingContent())
                try MasterKeySealCommand.write(
                    MasterKeyFile.Content.plain(key).line, to: target, isNew: newFile != nil)
                return target
            }
        }
        let json: JSONValue = ["file": .string(path), "source": "file"]
        print(options.output.json ? json.text : "\(path) is not sealed: its readers have the key")
    }
}
