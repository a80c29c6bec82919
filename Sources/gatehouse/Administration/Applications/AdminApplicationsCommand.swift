// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// The allowed versions of apps.
struct AdminApplicationsCommand: AsyncParsableCommand, EntryResource {
    static let command = "applications"
    static let entries = ProjectList.applications
    static let columns = [
        "id", "minimum_version", "registration_version", "blocked_versions", "update_url",
    ]
    static let listAbstract = "List the apps that have a rule."
    static let showAbstract = "Show the rule for an app."
    static let removeAbstract = "Remove the rule for an app: all its versions are allowed again."
    static let nameHelp = "Bundle identifier or package name of the app."
    static let example = "com.example.notes"

    static let configuration = CommandConfiguration(
        commandName: command, abstract: "Manage the allowed versions of apps.",
        discussion: """
            Examples:

              gatehouse admin applications put com.example.notes --minimum-version 2.0 \\
                --registration-version 2.4 --update-url https://apps.example/notes
              gatehouse admin applications only-listed on
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, PutResource<Settings>.self,
            RemoveResource<Self>.self,
            OnlyListed.self,
        ])

    struct Settings: ResourceSettings {
        typealias Resource = AdminApplicationsCommand
        static let abstract =
            "Create or replace the rule for an app. An option that is absent sets no limit."
        static let example = "--minimum-version 2.0"

        @Option(help: "Older ones are refused.")
        var minimumVersion: String?
        @Option(help: "Older versions can sign in but cannot register.")
        var registrationVersion: String?
        @Option(help: "A version that is refused; repeatable.")
        var blockedVersion: [String] = []
        @Option(help: "URL of an update.")
        var updateURL: String?

        func body() -> JSONObject {
            var body = JSONObject()
            body.set("minimum_version", minimumVersion)
            body.set("registration_version", registrationVersion)
            body.set("blocked_versions", blockedVersion)
            body.set("update_url", updateURL)
            return body
        }
    }

    struct OnlyListed: AsyncParsableCommand {
        enum Switch: String, ExpressibleByArgument, CaseIterable, Sendable {
            case on, off
        }

        static let configuration = CommandConfiguration(
            commandName: "only-listed",
            abstract: "Set whether apps that are not listed may register people.",
            discussion: "Example: gatehouse admin applications only-listed on")
        @Argument(help: "on: only listed apps; off: all apps. Shows the setting if absent.")
        var state: Switch?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            guard let state else { return try await place.show(.showVersionPolicy) }
            try await place.change(
                .putVersionPolicy, body: ["listed_applications_only": .bool(state == .on)])
        }
    }
}
