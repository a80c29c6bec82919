// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse security-key large-blobs`
struct SecurityKeyLargeBlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "large-blobs",
        abstract: "Manage the data of sites that a key stores with its passkeys.",
        discussion: """
            A passkey is named by its id, or a beginning of it, as `credentials list` shows it.

            Examples:

              gatehouse security-key large-blobs list
              gatehouse security-key large-blobs get ZmFrZWlkMQ > certificate.pem
              gatehouse security-key large-blobs set ZmFrZWlkMQ certificate.pem
            """,
        subcommands: [List.self, Get.self, Set.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the passkeys that have data.",
            discussion: "Example: gatehouse security-key large-blobs list --json")
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let found = try await key.administer(.listCredentials) {
                (administration, _) async throws(SecurityKeyError) in
                var found: [Found] = []
                for credential in try await administration.credentials()
                where credential.largeBlobKey != nil {
                    guard let blob = try await administration.largeBlob(of: credential) else {
                        continue
                    }
                    found.append(Found(credential: credential, length: blob.count))
                }
                return found
            }
            print(output.json ? JSONValue.array(found.map(\.json)).text : Self.table(found))
        }

        private static func table(_ found: [Found]) -> String {
            guard !found.isEmpty else { return "No passkey on this key has data." }
            var table = TextTable(["id", "site", "account", "bytes"])
            for item in found {
                table.add([
                    item.credential.shortName, item.credential.relyingParty.withoutControls,
                    item.credential.account, "\(item.length)",
                ])
            }
            return table.text
        }

        private struct Found: Sendable {
            let credential: DiscoverableCredential
            let length: Int

            var json: JSONValue {
                [
                    "id": .string(Base64URL.encode(credential.id)),
                    "rpId": .string(credential.relyingParty), "bytes": .integer(Int64(length)),
                ]
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Write the data of a passkey to standard output, unchanged.",
            discussion:
                "Example: gatehouse security-key large-blobs get ZmFrZWlkMQ > certificate.pem")
        @Argument(help: "The id of the passkey.")
        var id: String
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let id = id
            let blob = try await key.administer(.listCredentials) {
                (administration, _) async throws(SecurityKeyError) in
                try await administration.largeBlob(
                    of: try CredentialReference.find(id, in: try await administration.credentials())
                )
            }
            guard let blob else { throw CommandError("this passkey has no data") }
            if output.json {
                print((["blob": .string(Base64URL.encode(blob))] as JSONValue).text)
            } else {
                StandardOutput.write(blob)
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Store a file with a passkey, and replace an existing one.",
            discussion: "Example: gatehouse security-key large-blobs set ZmFrZWlkMQ certificate.pem"
        )
        @Argument(help: "The id of the passkey.")
        var id: String
        @Argument(help: ArgumentHelp("The file to store.", valueName: "file"))
        var file: String
        @Flag(help: "Skip the confirmation.")
        var yes = false
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard let content = try SecretFile.read(file, limit: 65_536) else {
                throw CommandError("\(file) does not exist", code: .badInput)
            }
            try await LargeBlobChange(id: id, content: content, yes: yes).run(key)
            Outcome.report(
                "\(content.count) bytes are stored with the passkey.",
                ["written": .integer(Int64(content.count))], output)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Remove the data of a passkey.",
            discussion: "Example: gatehouse security-key large-blobs delete ZmFrZWlkMQ")
        @Argument(help: "The id of the passkey.")
        var id: String
        @Flag(help: "Skip the confirmation.")
        var yes = false
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await LargeBlobChange(id: id, content: nil, yes: yes).run(key)
            Outcome.report("The data are deleted.", ["deleted": .string(id)], output)
        }
    }
}

/// Replaces or removes the large blob of a passkey. It asks for confirmation if one exists.
private struct LargeBlobChange: Sendable {
    let id: String
    let content: [UInt8]?
    let yes: Bool

    func run(_ key: SecurityKeyOptions) async throws {
        try await key.administer(.listCredentials) {
            (administration, person) async throws(SecurityKeyError) in
            let credential = try CredentialReference.find(
                id, in: try await administration.credentials())
            if let old = try await administration.largeBlob(of: credential) {
                try await person.confirm(
                    "\(old.count) bytes of \(credential.relyingParty.withoutControls) with "
                        + "the passkey of \(credential.account)", isAgreed: yes)
            }
            try await administration.setLargeBlob(content, of: credential)
        }
    }
}
