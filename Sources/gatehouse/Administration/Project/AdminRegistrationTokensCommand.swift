// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminRegistrationTokensCommand: AsyncParsableCommand, SearchableResource, RemovableResource {
    static let command = "registration-tokens"
    static let list = AdministrativeOperation.listRegistrationTokens
    static let remove = AdministrativeOperation.revokeRegistrationToken
    static let parameter = AdministrativeOperation.Parameter.token
    static let columns = [
        "id", "label", "state", "serial_number", "owner", "uses", "maximum_uses", "expires_at",
    ]
    static let listAbstract = "List the tokens of a project, without their values."
    static let removeAbstract = "Revoke a token. Devices that registered with it are kept."
    static let nameHelp = "Id of the token."
    static let example = "01890a5d-ac96-774b-bcce-b302099a8057"
    static let searched = "label (or else serial number)"
    static let beginning = "fleet"
    static let removal = "revoke"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage tokens with which devices register without a person.",
        discussion: """
            Examples:

              gatehouse admin registration-tokens create --uses 200 --days 30 --label fleet
              gatehouse admin registration-tokens create --serial C02XY1234567
              gatehouse admin registration-tokens list --search fleet
            """,
        subcommands: [SearchResources<Self>.self, Create.self, RemoveResource<Self>.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token, and print it. It is displayed only once.",
            discussion: """
                Write it into the profile as RegistrationToken. A token for a serial number also
                registers that device again after it was erased; one for any device does not.

                Example: gatehouse admin registration-tokens create --uses 200 --days 30
                """)
        @Option(help: "Serial number of the only device that can use the token.")
        var serial: String?
        @Option(help: "Maximum number of devices that it registers.")
        var uses: Int64 = 1
        @Option(help: "Days until the token expires: 1 to 1830.")
        var days: Int64 = 7
        @Option(help: "Name.")
        var label: String?
        @Option(help: "New file for the token; standard output when absent.")
        var tokenPath: String?
        @OptionGroup var place: ProjectOptions

        func validate() throws {
            guard (1...1830).contains(days) else {
                throw ValidationError("--days must be a number from 1 to 1830")
            }
        }

        func run() async throws {
            var body = JSONObject()
            body.set("serial_number", serial)
            body.set("label", label)
            body.set("maximum_uses", uses)
            body.set("lifetime", days * 86_400)
            try await OneTimeSecretOutput(member: "token", name: "token", path: tokenPath).make(
                by: .createRegistrationToken, body: body, in: place,
                note: OneTimeSecretOutput.validity)
        }
    }
}
