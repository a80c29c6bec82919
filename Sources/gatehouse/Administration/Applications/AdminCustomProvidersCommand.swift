// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// The operator's own identity providers, which apps register by.
struct AdminCustomProvidersCommand: AsyncParsableCommand, EntryResource {
    static let command = "custom-identity-providers"
    static let entries = ProjectList.customProviders
    static let columns = ["id", "name", "enabled", "two_step", "url"]
    static let listAbstract = "List the custom identity providers of a project."
    static let showAbstract = "Show a custom identity provider."
    static let removeAbstract = "Remove a provider from registration. People are kept."
    static let nameHelp = "Identifier of the provider. It never changes."
    static let example = "club"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage custom identity providers for app registration.",
        discussion: """
            Example:

              gatehouse admin custom-identity-providers put club --name "The club" \\
                --url https://members.example/gatehouse --attribute level
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, PutResource<Settings>.self,
            RemoveResource<Self>.self,
        ])

    struct Settings: ResourceSettings {
        typealias Resource = AdminCustomProvidersCommand
        static let abstract = "Create a service, or update the one with that identifier."
        static let example = "--url https://c.example/g"

        @Option(help: "URL of the service: https, or http on this host.")
        var url: String
        @Option(help: "Display name.")
        var name: String?
        @Option(help: "Image for the button in apps: a path on this host, https, or data:.")
        var icon: String?
        @Flag(help: "Registration in two steps: the service is called to start, then to complete.")
        var twoStep = false
        @Flag(help: "Disable the provider without removing it.")
        var disabled = false
        @Option(help: "Member of the response to store as an attribute; repeatable.")
        var attribute: [String] = []
        @Option(help: "Maximum number of attempts for one registration.")
        var attempts: Int64?
        @Option(help: "Seconds from the start to the end of a registration in two steps.")
        var expiresIn: Int64?
        @Option(help: "Seconds that it may take to answer.")
        var timeout: Int64?

        func body() -> JSONObject {
            var body = JSONObject()
            body.set("url", url)
            body.set("name", name)
            body.set("icon", icon)
            body.set("two_step", twoStep)
            body.set("enabled", !disabled)
            body.set("attributes", attribute)
            body.set("attempts", attempts)
            body.set("expires_in", expiresIn)
            body.set("timeout", timeout)
            return body
        }
    }
}
