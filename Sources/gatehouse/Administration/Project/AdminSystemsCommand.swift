// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// Which versions of systems apps may run on.
struct AdminSystemsCommand: AsyncParsableCommand, EntryResource {
    static let command = "systems"
    static let entries = ProjectList.systems
    static let columns = ["name", "minimum_version", "blocked_versions"]
    static let listAbstract = "Every system that there is a rule for."
    static let removeAbstract = "Let every version of a system in again."
    static let nameHelp = "Its name, in lower case."
    static let example = "android"

    static let configuration = CommandConfiguration(
        commandName: command, abstract: "Which versions of systems apps may run on.",
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
        static let abstract = "Make the rule for a system; what is not named is not asked."
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
