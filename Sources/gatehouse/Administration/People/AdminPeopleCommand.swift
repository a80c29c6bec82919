// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import ProviderAdministration

struct AdminPeopleCommand: AsyncParsableCommand, UpdatableResource, SearchableResource,
    RemovableResource
{
    static let command = "people"
    static let list = AdministrativeOperation.listPeople
    static let show = AdministrativeOperation.showPerson
    static let put = AdministrativeOperation.putPerson
    static let remove = AdministrativeOperation.removePerson
    static let parameter = AdministrativeOperation.Parameter.person
    static let columns = ["username", "name", "email", "groups", "disabled"]
    static let listAbstract = "List the people of a project."
    static let showAbstract = "Show a person, with credentials and sessions."
    static let removeAbstract =
        "Delete a person, with sign-in methods, sessions and app installations."
    static let nameHelp = "Username or sub."
    static let example = "anna"
    static let searched = "username, name or email address"
    static let changeAbstract = "Change the claims, groups and attributes of a person."
    static let changeExample = "phone_number=null attributes='{department: sales}'"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage people.",
        discussion: """
            Examples:

              gatehouse admin people create anna --name "Anna Johnson" --password-file secret
              gatehouse admin people change anna --file anna.yaml
              gatehouse admin people disable anna
              gatehouse admin people invite anna --days 3
              gatehouse admin people set-password anna --password-file secret
              gatehouse admin people reregister anna --hours 4
            """,
        subcommands: [
            SearchResources<Self>.self, ShowResource<Self>.self, Create.self,
            UpdateResource<Self>.self,
            PerformResourceAction<Disable>.self, PerformResourceAction<Enable>.self,
            PerformResourceAction<SignOut>.self,
            AdminInviteCommand.self, AdminSetPasswordCommand.self, AdminReregisterCommand.self,
            RemoveInstallation.self, RemoveResource<Self>.self, ReleaseName.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a person.",
            discussion: """
                Example:

                  gatehouse admin people create anna --password-file secret \\
                    attributes='{department: sales}'
                """)
        @Argument(help: "Username.")
        var username: String
        @Argument(help: SettingText.help)
        var settings: [SettingText] = []
        @Option(help: "Full name.")
        var name: String?
        @Option(help: "Email address.")
        var email: String?
        @Flag(help: "The email address is verified.")
        var emailVerified = false
        @Option(help: "Group; repeatable.")
        var group: [String] = []
        @OptionGroup var password: NewPasswordOptions
        @Flag(help: "Have the person replace the password at the first sign-in.")
        var passwordMustChange = false
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let names = place.names([.person: username])
            let thing = "person \(username)"
            let body = try body()
            let answer = try await place.server.administer { connection in
                // Whose roles reach further than those of who asks, of them nothing else is said.
                guard (try? await connection.call(.showPerson, names)) == nil else {
                    throw AdminConnection.exists(thing)
                }
                return try await connection.make(thing, by: .putPerson, names, body)
            }
            place.report(answer)
        }

        func body() throws -> JSONValue {
            var body = JSONObject()
            body["name"] = name.map(JSONValue.string)
            body["email"] = email.map(JSONValue.string)
            if emailVerified { body["email_verified"] = true }
            if !group.isEmpty { body["groups"] = .array(group.map(JSONValue.string)) }
            body.set(settings)
            body["password"] = try password.read().map { .string($0.revealText()) }
            if passwordMustChange { body["password_must_change"] = true }
            return .object(body)
        }
    }

    struct RemoveInstallation: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-installation",
            abstract: "Remove an app installation of a person: its key and its access.",
            discussion: "Example: gatehouse admin people remove-installation anna ID")
        @Argument(help: "Username or sub.")
        var person: String
        @Argument(help: "The installation's id, as `people show` has it.")
        var installation: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(
                .removeInstallation, [.person: person, .installation: installation])
        }
    }

    struct ReleaseName: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release-name",
            abstract: "Release a removed person's name, so that a new person can have it.",
            discussion: """
                Applications that know people by their username take the new person for the old one.

                Example: gatehouse admin people release-name anna
                """)
        @Argument(help: "The name: a username, or what applications or devices called the person.")
        var name: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(.releaseName, [.name: name])
        }
    }
}

extension AdminPeopleCommand {
    enum Disable: ResourceAction {
        typealias Resource = AdminPeopleCommand
        static let verb = "disable"
        static let abstract = "Disable a person: end all sessions and grants, and refuse sign-in."
        static let operation = AdministrativeOperation.putPerson
        static let body: JSONValue? = ["disabled": true]
        static let check: AdministrativeOperation? = .showPerson
    }

    enum Enable: ResourceAction {
        typealias Resource = AdminPeopleCommand
        static let verb = "enable"
        static let abstract = "Enable a person again."
        static let operation = AdministrativeOperation.putPerson
        static let body: JSONValue? = ["disabled": false]
        static let check: AdministrativeOperation? = .showPerson
    }

    enum SignOut: ResourceAction {
        typealias Resource = AdminPeopleCommand
        static let verb = "sign-out"
        static let abstract = "Sign a person out everywhere."
        static let operation = AdministrativeOperation.endSessions
    }
}
