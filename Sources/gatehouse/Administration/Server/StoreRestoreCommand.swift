// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import Storage

/// `gatehouse store restore`
struct StoreRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the content with that of a backup. The provider must be stopped.",
        discussion: """
            A provider on SQLite locks its data directory and the file. One on PostgreSQL leaves a \
            lease in the database, which it renews while it runs.

            The content is replaced completely or not at all. During the restore, and after one that \
            was killed, no provider starts on the database: run the restore again, or use the \
            content from before it with --abandon.

            Examples:

              gatehouse store restore monday.backup
              gatehouse store restore --abandon
            """)
    @Argument(help: "A file that `store backup` wrote.")
    var file: String?
    @Flag(help: "PostgreSQL: also while a provider seems to serve from the database.")
    var force = false
    @Flag(help: "Restore nothing, and use the content from before a restore that was killed.")
    var abandon = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard abandon != (file != nil) else {
            throw ValidationError("name the backup, or add --abandon")
        }
    }

    func run() async throws {
        if let file { try await restore(file) } else { try await abandonRestore() }
    }

    private func restore(_ file: String) async throws {
        let bar = ProgressBar("restore")
        defer { bar.finish() }
        guard FileCalls.exists(file) else {
            throw CommandError("\(file) is not there", code: .badInput)
        }
        try await store.useAlone { store in
            try await store.maintenance.restore(
                from: file, as: .current(),
                check: { if !force { try await StoreOptions.refuseWhileServed(store) } },
                progress: { bar.show($0) })
        }
        bar.finish()
        print(output.json ? (["file": .string(file)] as JSONValue).text : "restored \(file)")
    }

    private func abandonRestore() async throws {
        let abandoned = try await store.useAlone(mustExist: true) {
            try await $0.maintenance.abandonRestore()
        }
        let sentence =
            abandoned.map { "abandoned the restore of \($0.startedAt.rfc3339) (\($0.process))" }
            ?? "no restore has begun"
        let json: JSONValue = ["abandoned": .bool(abandoned != nil)]
        print(output.json ? json.text : sentence)
    }
}
