import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
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

    struct SharedOptions: ParsableArguments {
        @Option(help: "Project of the keys.")
        var project = "default"
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func call(
            _ operation: AdministrativeOperation, kid: String? = nil, body: JSONValue? = nil
        ) async throws {
            var names: AdministrativeOperation.Parameters = [.project: project]
            names[.kid] = kid
            let answer = try await server.call(operation, names, body: body)
            print(output.json ? answer.text : Self.table(answer))
        }

        private static func table(_ answer: JSONValue) -> String {
            var table = TextTable(["kid", "algorithm", "state", "since"])
            for key in answer["items"]?.array ?? [] {
                table.add(
                    ["kid", "algorithm", "state", "changed_at"].map { key[$0]?.shown ?? "-" })
            }
            return table.text
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Published keys, oldest first.",
            discussion: "Example: gatehouse keys list --json")
        @OptionGroup var place: SharedOptions

        func run() async throws { try await place.call(.listKeys) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the next key sign; the old one stays published until it is retired.",
            discussion: "Example: gatehouse keys rotate --algorithm ES256")
        @Option(help: "ES256 or RS256.")
        var algorithm = "ES256"
        @OptionGroup var place: SharedOptions

        func run() async throws {
            try await place.call(.rotateKey, body: ["algorithm": .string(algorithm)])
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Retire a rotated key. Tokens that it signed become invalid.",
            discussion: "Example: gatehouse keys retire KID")
        @Argument(help: "The key's kid, as `keys list` shows it.")
        var kid: String
        @OptionGroup var place: SharedOptions

        func run() async throws {
            try await place.call(.retireKey, kid: kid)
        }
    }
}
