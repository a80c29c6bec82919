// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminGroupsCommand: AsyncParsableCommand, SearchableResource {
    static let command = "groups"
    static let list = AdministrativeOperation.listGroups
    static let parameter = AdministrativeOperation.Parameter.group
    static let columns = ["name", "members"]
    static let listAbstract = "List groups with their number of members, 1000+ for more."
    static let nameHelp = "Name of the group."
    static let example = "staff"
    static let searched = "name"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage groups.",
        discussion: """
            A group is a name that people have. It exists as long as it has a member.

            Examples:

              gatehouse admin groups list
              gatehouse admin groups members staff
              gatehouse admin groups add staff anna
              gatehouse admin groups remove staff anna
            """,
        subcommands: [SearchResources<Self>.self, Members.self, Add.self, Remove.self])

    static func row(_ group: JSONValue) -> JSONValue {
        guard var object = group.object, object["has_more_members"] == true,
            let count = object["members"]?.text
        else { return group }
        object["members"] = .string(count + "+")
        return .object(object)
    }

    struct Members: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "members", abstract: "List the members of a group by username.",
            discussion: "Example: gatehouse admin groups members staff --search an")
        @Argument(help: "Name of the group.")
        var group: String
        @Option(help: "Start of the username.")
        var search: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.list(
                .listGroupMembers, [.group: group],
                columns: ["username", "name", "email", "sub"], search: search)
        }
    }

    /// Arguments that name a group and a person.
    struct Membership: ParsableArguments {
        @Argument(help: "Name of the group.")
        var group: String
        @Argument(help: "Username or sub.")
        var person: String
        @OptionGroup var place: ProjectOptions

        func change(_ operation: AdministrativeOperation) async throws {
            try await place.change(operation, [.group: group, .person: person])
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a person to a group.",
            discussion: "Example: gatehouse admin groups add staff anna")
        @OptionGroup var membership: Membership

        func run() async throws { try await membership.change(.addGroupMember) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a person from a group.",
            discussion: "Example: gatehouse admin groups remove staff anna")
        @OptionGroup var membership: Membership

        func run() async throws { try await membership.change(.removeGroupMember) }
    }
}
