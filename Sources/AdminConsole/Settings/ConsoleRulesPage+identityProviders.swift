// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderSettings

extension ConsoleRulesPage {
    /// The identity providers whose assertions about people are accepted.
    static let identityProviders = ConsoleRulesPage(
        part: "identity-providers", see: .seeIdentityProviders, change: .changeIdentityProviders,
        isGrave: true, lists: [upstream, custom])

    private static let upstream = ConsoleEntries(
        kind: "upstream",
        operations: (
            list: .listIdentityProviders, show: .showIdentityProvider, put: .putIdentityProvider,
            remove: .removeIdentityProvider
        ),
        parameter: .identifier, key: "identifier", label: "consoleIdentifier",
        columns: [
            ConsoleEntries.Column(label: "consoleKind") { console, entry in
                ConsoleCell(ConsoleField.words(console, entry["kind"]?.string ?? ""))
            },
            .text("issuer", label: "consoleIssuer"), .state,
        ],
        fields: upstreamFields,
        first: [
            "button_text", "icon", "issuer", "client_id", "client_secret",
            "token_endpoint_auth_method", "authorization_endpoint", "token_endpoint",
            "userinfo_endpoint",
        ],
        fixed: [ConsoleField("kind", "consoleKind", .choice(["oidc", "oauth"]))],
        readOnly: [
            "redirect_uri", "post_logout_redirect_uri", "logout_uri", "federation_jwks_uri",
        ])

    private static let upstreamFields = StateKey.upstreamSettings.flatMap { key in
        let field = ConsoleField(key, in: "identity_providers.")
        let secret = ConsoleField(secret: "client_secret", in: "identity_providers.")
        return key.name == "client_id" ? [field, secret] : [field]
    }

    private static let custom = ConsoleEntries(
        "custom", of: .customProviders, label: "consoleIdentifier",
        columns: [
            .text("name", of: .customProviders), .text("url", of: .customProviders), .state,
        ], first: ["name", "icon", "url", "two_step"])
}
