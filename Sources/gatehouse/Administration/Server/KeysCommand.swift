// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List, rotate and retire signing and encryption keys.",
        discussion: """
            Examples:

              gatehouse keys list
              gatehouse keys rotate --algorithm ES256
              gatehouse keys retire KID
            """,
        subcommands: [List.self, Rotate.self, Retire.self, EncryptionKeysCommand.self])

    struct SharedOptions: CallOptions {
        @Option(help: "Project of the keys.")
        var project = "default"
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func names(_ names: Names) -> Names { names.merging([.project: project]) { $1 } }

        func keys(
            _ operation: AdministrativeOperation, _ names: Names = [:], body: JSONValue? = nil
        ) async throws {
            let answer = try await call(operation, names, body: body)
            print(output.json ? answer.text : Self.table(answer))
        }

        private static func table(_ answer: JSONValue) -> String {
            var table = TextTable(["kid", "algorithm", "state", "since", "can sign from"])
            for key in answer["items"]?.array ?? [] {
                table.add(
                    ["kid", "algorithm", "state", "changed_at", "can_sign_from"].map {
                        key[$0]?.shown ?? "-"
                    })
            }
            return table.text
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the published keys, oldest first.",
            discussion: "Example: gatehouse keys list --json")
        @OptionGroup var place: SharedOptions

        func run() async throws { try await place.keys(.listKeys) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Rotate the signing key. The old key stays published until it is retired.",
            discussion: """
                A next key can sign when it has been published for a day, because relying parties \
                store the keys: `keys list` has the time. In an emergency --now rotates before. \
                Then relying parties that have not fetched the next key refuse new tokens until \
                they fetch the keys again.

                Examples:

                  gatehouse keys rotate --algorithm ES256
                  gatehouse keys rotate --now
                """)
        @Option(help: "ES256 or RS256.")
        var algorithm = "ES256"
        @Flag(help: "Rotate at once, before relying parties know the next key.")
        var now = false
        @OptionGroup var place: SharedOptions

        func run() async throws {
            let body: JSONValue = ["algorithm": .string(algorithm)]
            let atOnce: JSONValue = ["algorithm": .string(algorithm), "at_once": true]
            try await place.keys(.rotateKey, body: now ? atOnce : body)
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Retire a rotated key. Tokens that it signed become invalid.",
            discussion: "Example: gatehouse keys retire KID")
        @Argument(help: "The key's kid, as `keys list` shows it.")
        var kid: String
        @OptionGroup var place: SharedOptions

        func run() async throws {
            try await place.keys(.retireKey, [.kid: kid])
        }
    }
}
