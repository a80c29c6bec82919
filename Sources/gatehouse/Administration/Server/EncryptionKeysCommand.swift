// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

/// `gatehouse keys encryption`
struct EncryptionKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encryption",
        abstract: "Manage the keys with which devices encrypt passwords (Platform SSO).",
        discussion: """
            Devices receive another key from the provider's JWK set, or when they register
            again; retire the old one when they have.

            Examples:

              gatehouse keys encryption rotate
              gatehouse keys encryption list
              gatehouse keys encryption retire 01890a5d-ac96-774b-bcce-b302099a8057
            """,
        subcommands: [List.self, Rotate.self, Retire.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the current key, and earlier keys that can still decrypt.",
            discussion: "Example: gatehouse keys encryption list --json")
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.encryptionKeys(.listEncryptionKeys) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Publish a new key. The old key can decrypt until it is retired.",
            discussion: "Example: gatehouse keys encryption rotate")
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.encryptionKeys(.rotateEncryptionKey) }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire", abstract: "Retire a rotated key. It can no longer decrypt.",
            discussion:
                "Example: gatehouse keys encryption retire 01890a5d-ac96-774b-bcce-b302099a8057")
        @Argument(help: "Id of the key, as `keys encryption list` shows it.")
        var key: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.encryptionKeys(.retireEncryptionKey, [.key: key])
        }
    }
}

extension ProjectOptions {
    fileprivate func encryptionKeys(
        _ operation: AdministrativeOperation, _ names: Names = [:]
    ) async throws {
        let answer = try await call(operation, names)
        guard !output.json else { return print(answer.text) }
        show(answer["items"]?.array ?? [], columns: ["id", "state", "created_at", "kid"])
    }
}
