// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse security-key credentials`
struct SecurityKeyCredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "Manage the passkeys on a key.",
        discussion: """
            Examples:

              gatehouse security-key credentials list
              gatehouse security-key credentials delete ZmFrZWlkMQ
            """,
        subcommands: [List.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the accounts and the sites of the passkeys.",
            discussion: "Example: gatehouse security-key credentials list --json")
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let credentials = try await key.administer(.listCredentials) {
                (administration, _) async throws(SecurityKeyError) in
                try await administration.credentials()
            }
            print(output.json ? Self.json(credentials).text : Self.table(credentials))
        }

        private static func table(_ credentials: [DiscoverableCredential]) -> String {
            guard !credentials.isEmpty else { return "This key has no passkeys." }
            var table = TextTable(["id", "site", "account", "name"])
            for credential in credentials {
                table.add([
                    credential.shortName, credential.relyingParty.withoutControls,
                    credential.account, (credential.user.displayName ?? "-").withoutControls,
                ])
            }
            return table.text
        }

        private static func json(_ credentials: [DiscoverableCredential]) -> JSONValue {
            .array(
                credentials.map { credential in
                    var object = JSONObject()
                    object["id"] = .string(Base64URL.encode(credential.id))
                    object["rpId"] = .string(credential.relyingParty)
                    object["userHandle"] = .string(Base64URL.encode(credential.user.id))
                    object["name"] = credential.user.name.map { .string($0) }
                    object["displayName"] = credential.user.displayName.map { .string($0) }
                    object["credProtect"] = credential.credProtect.map { .integer(Int64($0)) }
                    return .object(object)
                })
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract:
                "Delete a credential permanently; its owner can no longer sign in with it.",
            discussion: "Example: gatehouse security-key credentials delete ZmFrZWlkMQ")
        @Argument(help: "The id, or a beginning of it that no other one has.")
        var id: String
        @Flag(help: "Skip the confirmation.")
        var yes = false
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (id, yes) = (id, yes)
            let gone = try await key.administer(.listCredentials) {
                (administration, person) async throws(SecurityKeyError) in
                let credential = try CredentialReference.find(
                    id, in: try await administration.credentials())
                try await person.confirm(credential.asLoss, isAgreed: yes)
                try await administration.delete(credential)
                return credential
            }
            Outcome.report(
                "Destroyed: \(gone.asLoss).", ["deleted": .string(Base64URL.encode(gone.id))],
                output)
        }
    }
}
