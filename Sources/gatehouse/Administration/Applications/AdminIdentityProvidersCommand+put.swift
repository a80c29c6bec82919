// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

extension AdminIdentityProvidersCommand {
    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Create a provider, or update the one with that identifier.",
            discussion: """
                Example:

                  gatehouse admin identity-providers put acme --kind oidc \\
                    --issuer https://login.acme.example --client-id gatehouse \\
                    --client-secret-file secret --scope profile --scope email
                """)
        @Argument(help: "Identifier of the provider: characters a-z and 0-9. It never changes.")
        var identifier: String
        @Option(help: "oidc or oauth; never changes either.")
        var kind: String
        @Option(help: "Issuer URL. Options override the discovery document.")
        var issuer: String?
        @Option(help: "Where people sign in.")
        var authorizationEndpoint: String?
        @Option(help: "Where codes are redeemed.")
        var tokenEndpoint: String?
        @Option(help: "URL of the UserInfo endpoint.")
        var userinfoEndpoint: String?
        @Option(help: "Where its keys are.")
        var jwksURI: String?
        @Option(name: .customLong("client-id"), help: "Client ID of this project at the provider.")
        var clientID: String
        @Option(help: "File with the client secret; - is standard input. Unchanged if absent.")
        var clientSecretFile: String?
        @Option(help: "client_secret_basic, client_secret_post, private_key_jwt or none.")
        var authMethod: String?
        @Option(help: "A scope to request; repeatable.")
        var scope: [String] = []
        @Option(help: "LOCAL=UPSTREAM: the names of a claim; repeatable.")
        var claim: [ClaimText] = []
        @Option(help: "Button label.")
        var buttonText: String?
        @Option(help: "Image for the button in apps: a path on this host, https, or data:.")
        var icon: String?
        @Flag(help: "Create an account at the first sign-in.")
        var createPeople = false
        @Flag(help: "Accept its email_verified.")
        var trustEmail = false
        @Flag(help: "Use for account linking only.")
        var linkOnly = false
        @Flag(
            inversion: .prefixedNo,
            help: "Update the claims at each sign-in.")
        var refreshClaims = true
        @Flag(inversion: .prefixedNo, help: "Signing out here signs out there as well.")
        var signOut = true
        @Option(help: "The response mode: query or form_post.")
        var responseMode: String?
        @Flag(help: "Require encrypted ID tokens.")
        var encryptedIDTokens = false
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = JSONObject()
            let texts = [
                ("kind", kind), ("issuer", issuer),
                ("authorization_endpoint", authorizationEndpoint),
                ("token_endpoint", tokenEndpoint), ("userinfo_endpoint", userinfoEndpoint),
                ("jwks_uri", jwksURI), ("client_id", clientID),
                ("token_endpoint_auth_method", authMethod), ("button_text", buttonText),
                ("icon", icon), ("response_mode", responseMode),
            ]
            for (name, text) in texts { body[name] = text.map(JSONValue.string) }
            if let clientSecretFile {
                let content = try DocumentFile.bytes(clientSecretFile)
                guard let secret = String(validating: content.trimmedLine, as: UTF8.self) else {
                    throw CommandError("\(clientSecretFile) contains no text", code: .badInput)
                }
                body["client_secret"] = .string(secret)
            }
            if !scope.isEmpty { body["scopes"] = .array(scope.map(JSONValue.string)) }
            if !claim.isEmpty {
                body["claims"] = .object(
                    JSONObject(claim.map { .init(name: $0.ours, value: .string($0.theirs)) }))
            }
            for (name, isOn) in [
                ("create_people", createPeople), ("trust_email", trustEmail),
                ("link_only", linkOnly), ("encrypted_id_tokens", encryptedIDTokens),
            ] where isOn {
                body[name] = true
            }
            for (name, isOn) in [("refresh_claims", refreshClaims), ("sign_out", signOut)]
            where !isOn {
                body[name] = false
            }
            try await place.change(
                .putIdentityProvider, [.identifier: identifier], body: .object(body))
        }
    }
}

/// `LOCAL=UPSTREAM`.
struct ClaimText: ExpressibleByArgument {
    let ours: String
    let theirs: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        ours = String(parts[0])
        theirs = String(parts[1])
    }
}
