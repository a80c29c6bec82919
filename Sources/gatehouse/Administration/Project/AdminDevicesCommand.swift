// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminDevicesCommand: AsyncParsableCommand, SearchableResource, ShownResource {
    static let command = "devices"
    static let list = AdministrativeOperation.listDevices
    static let show = AdministrativeOperation.showDevice
    static let parameter = AdministrativeOperation.Parameter.device
    static let columns = ["id", "state", "host_name", "model", "serial_number", "last_seen_at"]
    static let listAbstract = "List the devices of a project, including revoked ones."
    static let showAbstract = "Show a device, with its keys and users."
    static let nameHelp = "The device's id."
    static let example = "01890a5d-ac96-774b-bcce-b302099a8057"
    static let searched = "serial number (or else name)"
    static let beginning = "C02"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage devices that people sign in on (Platform SSO).",
        discussion: """
            Examples:

              gatehouse admin devices list
              gatehouse admin devices revoke 01890a5d-ac96-774b-bcce-b302099a8057
            """,
        subcommands: [
            SearchResources<Self>.self, ShowResource<Self>.self, PerformResourceAction<Revoke>.self,
            RemoveUser.self,
            Compliance.self,
        ])

    enum Revoke: ResourceAction {
        typealias Resource = AdminDevicesCommand
        static let verb = "revoke"
        static let abstract =
            "Revoke a device: its keys, and all tokens and unlock keys on it."
        static let more =
            "Its keys can never be registered again; the device itself can, with new keys."
        static let operation = AdministrativeOperation.revokeDevice
    }

    struct RemoveUser: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-user",
            abstract:
                "Remove a person from a device, with their key, tokens and unlock keys there.",
            discussion: """
                Use this if a key was registered with a password that another person knew, because
                the key outlives the password. The device and its other users are kept.

                Example:

                  gatehouse admin devices remove-user 01890a5d-ac96-774b-bcce-b302099a8057 anna
                """)
        @Argument(help: "The device's id.")
        var device: String
        @Argument(help: "Username or sub.")
        var person: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(.removeDeviceUser, [.device: device, .person: person])
        }
    }

    struct Compliance: AsyncParsableCommand {
        enum State: String, ExpressibleByArgument, CaseIterable, Sendable {
            case compliant, noncompliant, unknown
        }

        static let configuration = CommandConfiguration(
            commandName: "compliance",
            abstract: "Set whether device management reports a device as compliant.",
            discussion: """
                Example:

                  gatehouse admin devices compliance 01890a5d-ac96-774b-bcce-b302099a8057 compliant
                """)
        @Argument(help: "The device's id.")
        var device: String
        @Argument(help: "compliant, noncompliant or unknown.")
        var state: State
        @Option(help: "Lifetime of this report in seconds.")
        var lifetime: Int64 = 86_400
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(
                .putDeviceCompliance, [.device: device],
                body: ["state": .string(state.rawValue), "lifetime": .integer(lifetime)])
        }
    }
}
