// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// The allowed versions of operating systems.
struct AdminSystemsCommand: AsyncParsableCommand, EntryResource {
    static let command = "systems"
    static let entries = ProjectList.systems
    static let columns = ["name", "minimum_version", "blocked_versions"]
    static let listAbstract = "List the systems that have a rule."
    static let showAbstract = "Show the rule for a system."
    static let removeAbstract = "Remove the rule for a system: all its versions are allowed again."
    static let nameHelp = "Name of the system, in lowercase."
    static let example = "android"

    static let configuration = CommandConfiguration(
        commandName: command, abstract: "Manage the allowed versions of operating systems.",
        discussion: """
            Example:

              gatehouse admin systems put android --minimum-version 12 --blocked-version 13.0.1
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, PutResource<Settings>.self,
            RemoveResource<Self>.self,
        ])

    struct Settings: ResourceSettings {
        typealias Resource = AdminSystemsCommand
        static let abstract =
            "Create or replace the rule for a system. An option that is absent sets no limit."
        static let example = "--minimum-version 12"

        @Option(help: "Older ones are refused.")
        var minimumVersion: String?
        @Option(help: "A version that is refused; repeatable.")
        var blockedVersion: [String] = []

        func body() -> JSONObject {
            var body = JSONObject()
            body.set("minimum_version", minimumVersion)
            body.set("blocked_versions", blockedVersion)
            return body
        }
    }
}
