// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import ProviderAdministration

extension AdminClientsCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a client. A new secret is printed once, on standard output.",
            discussion: """
                Example:

                  gatehouse admin clients create shop --redirect-uri https://shop.example/callback \\
                    access='{groups: [staff]}'
                """)
        @Argument(help: "client_id of the client.")
        var clientID: String
        @Argument(help: SettingText.help)
        var settings: [SettingText] = []
        @Option(help: "Name that people see.")
        var name: String?
        @Option(help: "Redirect URI for responses; repeatable.")
        var redirectUri: [String] = []
        @Option(help: "Redirect URI after sign-out; repeatable.")
        var postLogoutRedirectUri: [String] = []
        @Option(help: "authorization_code, refresh_token, client_credentials, …; repeatable.")
        var grantType: [String] = []
        @Option(
            help: "Scopes, separated by spaces; \"openid profile email\" if it signs people in.")
        var scope: String?
        @Option(help: "none, client_secret_basic, client_secret_post or private_key_jwt.")
        var authMethod = "client_secret_basic"
        @Option(help: "File with the secret; one is made when absent.")
        var secretFile: String?
        @Flag(help: "First-party client: people are not asked for consent.")
        var firstParty = false
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let secret = try secret()
            let body = self.body(secret: secret)
            let answer = try await place.server.administer { connection in
                try await connection.make(
                    "client \(clientID)", by: .putClient, place.names([.client: clientID]), body)
            }
            let made = secretFile == nil ? secret : nil
            if place.output.json {
                var object = answer.object ?? JSONObject()
                object["client_secret"] = made.map { .string($0.revealText()) }
                print(JSONValue.object(object).text)
            } else {
                print(ChangeReport(answer, verb: "changed").text)
                if let made { print("client_secret: \(made.revealText())") }
            }
        }

        /// `nil` when the client uses none.
        private func secret() throws -> Secret? {
            guard authMethod.hasPrefix("client_secret_") else { return nil }
            guard let secretFile else {
                return Secret(Base64URL.encode(SystemRandomSource().bytes(32)))
            }
            guard let content = try SecretFile.read(secretFile) else {
                throw CommandError("\(secretFile) does not exist", code: .badInput)
            }
            return Secret(content.trimmedLine)
        }

        func body(secret: Secret?) -> JSONValue {
            func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
            var body = JSONObject()
            body["client_name"] = name.map(JSONValue.string)
            body["token_endpoint_auth_method"] = .string(authMethod)
            if !grantType.isEmpty { body["grant_types"] = list(grantType) }
            if !redirectUri.isEmpty { body["redirect_uris"] = list(redirectUri) }
            if !postLogoutRedirectUri.isEmpty {
                body["post_logout_redirect_uris"] = list(postLogoutRedirectUri)
            }
            let signsPeopleIn = grantType.isEmpty || grantType.contains("authorization_code")
            let scope = scope ?? (signsPeopleIn ? "openid profile email" : nil)
            body["scope"] = scope.map(JSONValue.string)
            if firstParty { body["first_party"] = true }
            body.set(settings)
            body["client_secret"] = secret.map { .string($0.revealText()) }
            return .object(body)
        }
    }
}
