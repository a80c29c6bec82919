// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

/// `gatehouse admin store`: manages the database of a running provider over the Admin API.
/// `gatehouse store` accesses the database directly.
struct AdminStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Manage the database of a running provider.",
        discussion: """
            `gatehouse store` does the same, and more, on the host of the database.

            Examples:

              gatehouse admin store status
              gatehouse admin store backup before-upgrade.sqlite
            """,
        subcommands: [Status.self, Backup.self, Sweep.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show engine, schema version, number of rows and size.",
            discussion: "Example: gatehouse admin store status --json")
        @OptionGroup var provider: ProviderOptions

        func run() async throws { try await provider.show(.showStore) }
    }

    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Write a consistent copy into the backup directory of the server.",
            discussion: """
                Of several servers of one database, the one that responds writes the file; `host` \
                in the output names it.

                Example: gatehouse admin store backup before-upgrade.sqlite
                """)
        @Argument(help: "Name of the new file, without a directory.")
        var name: String
        @Flag(help: "Replace a backup of that name.")
        var replace = false
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.show(
                .backUpStore, body: ["name": .string(name), "replace": .bool(replace)])
        }
    }

    struct Sweep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep", abstract: "Delete a batch of expired rows now.",
            discussion: "Example: gatehouse admin store sweep")
        @OptionGroup var provider: ProviderOptions

        func run() async throws { try await provider.show(.sweepStore) }
    }
}
