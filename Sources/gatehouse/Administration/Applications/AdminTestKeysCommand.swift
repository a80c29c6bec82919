// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminTestKeysCommand: AsyncParsableCommand, SearchableResource, RemovableResource {
    static let command = "test-keys"
    static let list = AdministrativeOperation.listTestKeys
    static let remove = AdministrativeOperation.revokeTestKey
    static let parameter = AdministrativeOperation.Parameter.key
    static let columns = ["key_id", "alg", "name", "owner", "created_at"]
    static let listAbstract = "List the test keys that are not revoked."
    static let removeAbstract = "Revoke a test key. People who registered with it are kept."
    static let nameHelp = "The key id, as `test-keys list` shows it."
    static let example = "KEY-ID"
    static let searched = "name or key_id"
    static let removal = "revoke"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage keys that automated tests use to register test accounts.",
        discussion: """
            Examples:

              gatehouse admin test-keys create --name ci --owner olga --key-file test-key.pem
              gatehouse admin test-keys sweep --older-than-hours 24
            """,
        subcommands: [
            SearchResources<Self>.self, Create.self, RemoveResource<Self>.self, Sweep.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a key. The provider does not store its private part.",
            discussion: "Example: gatehouse admin test-keys create --key-file test-key.pem")
        @Option(help: "Purpose.")
        var name: String?
        @Option(help: "Responsible person.")
        var owner: String?
        @Option(help: "RS256, which the SDKs of the Sudo Platform know, or ES256.")
        var alg = "RS256"
        @Option(help: "New file for the private key, PEM; standard output when absent.")
        var keyFile: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = JSONObject()
            body.set("alg", alg)
            body.set("name", name)
            body.set("owner", owner)
            try await OneTimeSecretOutput(member: "private_key", name: "private key", path: keyFile)
                .make(
                    by: .createTestKey, body: body, in: place
                ) { "key id: \($0["key_id"]?.string ?? "-")" }
        }
    }

    struct Sweep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep", abstract: "Remove the accounts that were created with test keys.",
            discussion: "Example: gatehouse admin test-keys sweep --older-than-hours 24")
        @Option(help: "Minimum age of the accounts.")
        var olderThanHours: Int64 = 0
        @OptionGroup var place: ProjectOptions

        func validate() throws {
            guard (0...87_600).contains(olderThanHours) else {
                throw ValidationError("--older-than-hours must be a number from 0 to 87600")
            }
        }

        func run() async throws {
            let answer = try await place.call(
                .sweepTestPeople, body: ["older_than": .integer(olderThanHours * 3600)])
            let count = answer["removed"]?.integer ?? 0
            print(place.output.json ? answer.text : "\(count) people removed")
        }
    }
}
