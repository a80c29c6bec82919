// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// Tokens of the Admin API for programs.
struct AdminAPITokensCommand: AsyncParsableCommand, RemovableResource {
    static let command = "api-tokens"
    static let list = AdministrativeOperation.listAPITokens
    static let remove = AdministrativeOperation.revokeAPIToken
    static let parameter = AdministrativeOperation.Parameter.token
    static let columns = [
        "id", "name", "role", "state", "maker", "maker_left", "last_used_at", "expires_at",
    ]
    static let listAbstract = "List the tokens of a project, without their values."
    static let removeAbstract = "Revoke a token. It is refused from now on."
    static let nameHelp = "Id of the token, as `api-tokens list` shows it."
    static let example = "01890a5d-ac96-774b-bcce-b302099a8057"
    static let removal = "revoke"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage tokens with which programs administer a project, each with one role.",
        discussion: """
            Use such a token with --token-file, or send it as Authorization: Bearer. It has the
            rights of its role in its project, limited to the rights that its owner has at the time
            of use. It cannot create tokens.

            Examples:

              gatehouse admin api-tokens create --name ci --role developer --token-path ci.token
              gatehouse admin test-keys create --server https://id.example --token-file ci.token
              gatehouse admin api-tokens hand-over ID --to pia
            """,
        subcommands: [
            ListResources<Self>.self, Create.self, AdminAPITokenHandOverCommand.self,
            RemoveResource<Self>.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token, and print it. It is displayed only once.",
            discussion: """
                Example:

                  gatehouse admin api-tokens create --name ci --role developer --days 30
                """)
        @Option(help: "Purpose.")
        var name: String
        @Option(help: "project_administrator, developer, support or auditor.")
        var role: String
        @Option(help: "Days until the token expires: 1 to 366.")
        var days: Int64 = 90
        @Option(help: "New file for the token; standard output when absent.")
        var tokenPath: String?
        @OptionGroup var place: ProjectOptions

        func validate() throws {
            guard (1...366).contains(days) else {
                throw ValidationError("--days must be a number from 1 to 366")
            }
        }

        func run() async throws {
            var body = JSONObject()
            body.set("name", name)
            body.set("role", role)
            body.set("lifetime", days * 86_400)
            try await OneTimeSecretOutput(member: "token", name: "token", path: tokenPath).make(
                by: .createAPIToken, body: body, in: place,
                note: OneTimeSecretOutput.validity)
        }
    }
}
