// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import Primitives
import Storage

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Manage the database: status, migrate, backup, restore, verify, sweep.",
        discussion: """
            Examples:

              gatehouse store status --data-dir gatehouse-data
              gatehouse store backup monday.backup
              gatehouse store verify --database postgres://gatehouse@localhost/gatehouse

            A backup is taken while the provider serves. It does not hold the master key: keep a \
            copy of DATA_DIR/master.key elsewhere.
            """,
        subcommands: [
            Status.self, Migrate.self, Backup.self, StoreRestoreCommand.self, Verify.self,
            Sweep.self,
        ])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show engine, schema version, number of rows and size.",
            discussion: "Example: gatehouse store status --data-dir gatehouse-data")
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let status = try await store.use { try await $0.maintenance.status() }
            print(
                output.json
                    ? status.json.text : try DocumentWriter.yaml(status.json).withoutLastLineFeed)
        }
    }

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Run the schema steps that are missing; may be interrupted and run again.",
            discussion:
                "Example: gatehouse store migrate --database postgres://gatehouse@localhost/gatehouse"
        )
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let steps = try await ProgressBar.waiting("migrate") {
                try await store.use { try await $0.maintenance.migrate() }
            }
            if output.json {
                print((["steps": .array(steps.map(JSONValue.string))] as JSONValue).text)
            } else {
                print(steps.isEmpty ? "up to date" : steps.joined(separator: "\n"))
            }
        }
    }

    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Write a consistent copy to a file, also while the provider serves.",
            discussion: """
                SQLite and PostgreSQL give the same file: all rows at one moment, in a database of \
                SQLite. It can be restored into either.

                Example: gatehouse store backup monday.backup
                """)
        @Argument(help: "The file to create.")
        var file: String
        @Flag(help: "Replace the file if it exists.")
        var replace = false
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard replace || !FileCalls.exists(file) else {
                throw CommandError(
                    "\(file) exists; name a new file, or add --replace", code: .badInput)
            }
            let bar = ProgressBar("backup")
            defer { bar.finish() }
            try await store.use {
                try await $0.maintenance.backup(to: file, replacing: replace) { bar.show($0) }
            }
            bar.finish()
            print(output.json ? (["file": .string(file)] as JSONValue).text : "wrote \(file)")
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check for damage and violated rules; exit 1 if there are any.",
            discussion: "Example: gatehouse store verify --json")
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let violations = try await ProgressBar.waiting("verify") {
                try await store.use { try await $0.maintenance.verify() }
            }
            if output.json {
                let list: JSONValue = .array(violations.map(JSONValue.string))
                print((["sound": .bool(violations.isEmpty), "violations": list] as JSONValue).text)
            } else {
                print(violations.isEmpty ? "sound" : violations.joined(separator: "\n"))
            }
            if !violations.isEmpty { throw ExitCode(1) }
        }
    }

    struct Sweep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep",
            abstract: "Delete expired entries; a running provider does this automatically.",
            discussion: "Example: gatehouse store sweep")
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let deleted = try await ProgressBar.waiting("sweep") {
                try await store.use { try await Self.sweep($0) }
            }
            let json: JSONValue = ["deleted": .integer(Int64(deleted))]
            print(output.json ? json.text : "\(deleted) deleted")
        }

        private static func sweep(_ store: any ProviderStore) async throws -> Int {
            var total = 0
            var outcome: SweepOutcome
            repeat {
                outcome = try await store.maintenance.sweep(now: SystemWallClock().now, batch: 1000)
                total += outcome.deleted
            } while outcome.deleted > 0
            return total
        }
    }
}
