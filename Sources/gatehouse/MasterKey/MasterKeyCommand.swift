// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import MasterKeyFormat
import PKCS11
import PasswordHashing
import Primitives

struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key",
        abstract: "Manage the master key: show, verify, seal, unseal.",
        discussion: """
            The master key encrypts what is secret in the database. Its file contains the key \
            itself, or the key sealed to a passphrase or to a token (PKCS#11). The commands find \
            the file, the passphrase and the token as serve does. Without a configured passphrase, \
            they prompt for it at the terminal. They never print the key.

            Examples:

              gatehouse master-key show --data-dir gatehouse-data
              gatehouse master-key seal --to passphrase --new-passphrase-file passphrase
              gatehouse master-key verify --master-key-passphrase-file passphrase
            """,
        subcommands: [
            Show.self, Verify.self, MasterKeySealCommand.self, MasterKeyUnsealCommand.self,
        ])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show how the key is protected, without opening it.",
            discussion: "Example: gatehouse master-key show --json")
        @OptionGroup var options: MasterKeyOptions

        func run() async throws {
            let shown = try await options.withFile { file in
                try file.existingContent().description(of: file.path)
            }
            print(
                options.output.json
                    ? shown.text : try DocumentWriter.yaml(shown).withoutLastLineFeed)
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Open the key and compare it with the database. Exits with 1 if they differ.",
            discussion: """
                serve does not send a PIN to a token that received a wrong one before. A \
                successful verify allows it again.

                Example: gatehouse master-key verify --config /etc/gatehouse/gatehouse.yaml
                """)
        @OptionGroup var options: MasterKeyOptions

        func run() async throws {
            let fits = try await options.withOpenableFile { file in
                try await options.store.use {
                    try await MasterKeyCheck(store: $0, file: file).fits()
                }
            }
            let verdict: JSONValue = if let fits { .bool(fits) } else { .null }
            let json: JSONValue = ["opens": true, "fits": verdict]
            let text =
                switch fits {
                case true?: "the key opens, and is that of the database"
                case false?: "the key opens, and is not that of the database"
                case nil: "the key opens; the database has no key yet"
                }
            print(options.output.json ? json.text : text)
            if fits == false { throw ExitCode(1) }
        }
    }
}

extension MasterKeyFile.Content {
    /// Its description for an administrator.
    func description(of path: String) -> JSONValue {
        switch self {
        case .plain: ["file": .string(path), "source": "file"]
        case .sealed(let sealed): sealed.parameters.description(of: path)
        }
    }
}

extension SealedMasterKey.Parameters {
    fileprivate func description(of path: String) -> JSONValue {
        switch self {
        case .passphrase(let cost, _):
            [
                "file": .string(path), "source": "passphrase",
                "argon2": [
                    "memory": .integer(Int64(cost.memory)),
                    "iterations": .integer(Int64(cost.iterations)),
                    "lanes": .integer(Int64(cost.lanes)),
                ],
            ]
        case .token(let key):
            [
                "file": .string(path), "source": "token",
                "key_id": .string(Hexadecimal.encode(key.name)),
            ]
        }
    }
}
