// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminIdentityProvidersCommand: AsyncParsableCommand, ShownResource, RemovableResource {
    static let command = "identity-providers"
    static let list = AdministrativeOperation.listIdentityProviders
    static let show = AdministrativeOperation.showIdentityProvider
    static let remove = AdministrativeOperation.removeIdentityProvider
    static let parameter = AdministrativeOperation.Parameter.identifier
    static let columns = ["identifier", "kind", "enabled", "issuer", "client_id"]
    static let listAbstract = "List the upstream identity providers of a project."
    static let showAbstract = "Show a provider, with the redirect URI to register there."
    static let removeAbstract =
        "Remove a provider and the links of all people to it. People are kept."
    static let nameHelp = "Identifier of the provider."
    static let example = "acme"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage upstream identity providers.",
        discussion: """
            Examples:

              gatehouse admin identity-providers put acme --kind oidc \\
                --issuer https://login.acme.example --client-id gatehouse \\
                --client-secret-file secret --button-text Acme --create-people
              gatehouse admin identity-providers disable acme
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, Put.self, Switch<On>.self,
            Switch<Off>.self, RemoveResource<Self>.self,
        ])

    /// `enable` and `disable`. Everything else stays as it is.
    struct Switch<State: ProviderState>: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: State.verb, abstract: State.abstract,
                discussion: "Example: gatehouse admin identity-providers \(State.verb) acme")
        }
        @Argument(help: "Identifier of the provider.")
        var identifier: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let names = place.names([.identifier: identifier])
            let answer = try await place.server.administer { connection in
                let known = try await connection.call(.showIdentityProvider, names)
                var body = known.object ?? JSONObject()
                body["redirect_uri"] = nil
                body["enabled"] = .bool(State.isEnabled)
                return try await connection.call(
                    .putIdentityProvider, names, body: .object(body))
            }
            place.report(answer)
        }
    }

    enum On: ProviderState {
        static let verb = "enable"
        static let abstract = "Enable sign-in with the provider."
        static let isEnabled = true
    }

    enum Off: ProviderState {
        static let verb = "disable"
        static let abstract =
            "Disable sign-in with the provider, and end the sessions and grants that depend on it."
        static let isEnabled = false
    }
}

/// The command that enables or disables an identity provider.
protocol ProviderState: SendableMetatype {
    static var verb: String { get }
    static var abstract: String { get }
    static var isEnabled: Bool { get }
}
