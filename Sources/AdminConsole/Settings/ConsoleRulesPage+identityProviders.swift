// SPDX-License-Identifier: Apache-2.0
import IdentityProvider

extension ConsoleRulesPage {
    /// The identity providers whose assertions about people are accepted.
    static let identityProviders = ConsoleRulesPage(
        part: "identity-providers", see: .seeIdentityProviders, change: .changeIdentityProviders,
        isGrave: true, lists: [upstream, custom])

    private static let upstream = ConsoleEntries(
        kind: "upstream", one: "IdentityProvider", many: "IdentityProviders",
        parameter: "identifier", key: "identifier", label: "consoleIdentifier",
        columns: [
            .text("consoleKind", "kind", isCode: true), .text("consoleIssuer", "issuer"), .state,
        ],
        fields: [
            ConsoleField("enabled", "consoleEnabled", .flag, hint: "consoleEnabledHint"),
            ConsoleField("button_text", "consoleButtonText"),
            ConsoleField("issuer", "consoleIssuer", hint: "consoleUpstreamIssuerHint"),
            ConsoleField("client_id", "consoleClientID", isRequired: true),
            ConsoleField(
                "client_secret", "consoleProviderSecret", .secret(isLong: false),
                hint: "consoleSecretKeepHint"),
            ConsoleField(
                "token_endpoint_auth_method", "consoleAuthMethod",
                .choice(["client_secret_basic", "client_secret_post", "private_key_jwt", "none"])),
            ConsoleField("authorization_endpoint", "consoleAuthorizationEndpoint"),
            ConsoleField("token_endpoint", "consoleTokenEndpoint"),
            ConsoleField("userinfo_endpoint", "consoleUserinfoEndpoint"),
            ConsoleField("jwks_uri", "consoleKeysAddress"),
            ConsoleField("scopes", "consoleScopes", .lines, hint: "consoleOnePerLine"),
            ConsoleField("claims", "consoleClaims", .pairs, hint: "consoleClaimsHint"),
            ConsoleField("acr_values", "consoleAskedClasses", .lines, hint: "consoleOnePerLine"),
            ConsoleField("acr", "consoleContextClasses", .pairs, hint: "consoleContextClassesHint"),
            ConsoleField("create_people", "consoleCreatePeople", .flag),
            ConsoleField("trust_email", "consoleTrustEmail", .flag),
            ConsoleField("link_only", "consoleLinkOnly", .flag),
            ConsoleField("refresh_claims", "consoleRefreshClaims", .flag),
            ConsoleField("sign_out", "consoleUpstreamSignOut", .flag),
            ConsoleField(
                "response_mode", "consoleResponseMode", .choice(["query", "form_post"])),
            ConsoleField("encrypted_id_tokens", "consoleEncryptedIDTokens", .flag),
        ],
        first: [
            "button_text", "issuer", "client_id", "client_secret", "token_endpoint_auth_method",
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint",
        ],
        fixed: [ConsoleField("kind", "consoleKind", .choice(["oidc", "oauth"]))],
        readOnly: [
            "redirect_uri", "post_logout_redirect_uri", "logout_uri", "federation_jwks_uri",
        ])

    private static let custom = ConsoleEntries(
        kind: "custom", one: "CustomIdentityProvider", many: "CustomIdentityProviders",
        parameter: "name", key: "id", label: "consoleIdentifier",
        columns: [.text("consoleName", "name"), .text("consoleAddress", "url"), .state],
        fields: [
            ConsoleField("enabled", "consoleEnabled", .flag),
            ConsoleField("name", "consoleName"),
            ConsoleField("url", "consoleAddress", hint: "consoleAddressHint", isRequired: true),
            ConsoleField("two_step", "consoleTwoStep", .flag),
            ConsoleField("attributes", "consoleAttributes", .lines, hint: "consoleAttributesHint"),
            ConsoleField("attempts", "consoleAttempts", .number),
            ConsoleField("expires_in", "consoleExpiresIn", .number),
            ConsoleField("timeout", "consoleTimeout", .number),
        ], first: ["name", "url", "two_step"])
}
