// SPDX-License-Identifier: Apache-2.0

/// What can be said of a client (RFC 7591 section 2, and ours), as fields of a form.
enum ConsoleClientFields {
    /// What is asked of a new one.
    static let first = [
        ConsoleField("client_id", "consoleClientID", isRequired: true), name,
        ConsoleField(
            "token_endpoint_auth_method", "consoleAuthMethod",
            .choice(["client_secret_basic", "client_secret_post", "none"])),
        redirectURIs,
    ]

    /// Most wanted first.
    static let all = [
        name,
        ConsoleField(
            "token_endpoint_auth_method", "consoleAuthMethod",
            .choice(["client_secret_basic", "client_secret_post", "private_key_jwt", "none"]),
            hint: "consoleAuthMethodHint"),
        ConsoleField(
            "client_secret", "consoleClientSecret", .secret(isLong: false),
            hint: "consoleSecretKeepHint"),
        ConsoleField("scope", "consoleScope", .optional, hint: "consoleScopeHint"),
        ConsoleField("audience", "consoleAudience", .optional, hint: "consoleClientAudienceHint"),
        ConsoleField(
            "id_token_signed_response_alg", "consoleIDTokenAlgorithm", .choice(["RS256", "ES256"])),
        ConsoleField(
            "id_token_claims", "consoleIDTokenClaims", .choice(["scopes", "minimal"]),
            hint: "consoleIDTokenClaimsHint"),
        ConsoleField("access", "consoleAccess", .access, hint: "consoleAccessHint"),
        ConsoleField(
            "required_acr", "consoleRequiredACR", .optional, hint: "consoleRequiredACRHint"),
        ConsoleField("claims", "consoleClientClaims", .claims, hint: "consoleClientClaimsHint"),
        ConsoleField(
            "id_token_encrypted_response_alg", "consoleIDTokenEncryption", .optional,
            hint: "consoleEncryptionHint"),
        ConsoleField("id_token_encrypted_response_enc", "consoleIDTokenContent", .optional),
        ConsoleField(
            "userinfo_encrypted_response_alg", "consoleUserInfoEncryption", .optional,
            hint: "consoleEncryptionHint"),
        ConsoleField("userinfo_encrypted_response_enc", "consoleUserInfoContent", .optional),
        ConsoleField(
            "default_max_age", "consoleMaximumAge", .number, hint: "consoleMaximumAgeHint"),
        ConsoleField("first_party", "consoleFirstParty", .flag, hint: "consoleFirstPartyHint"),
        ConsoleField(
            "manages_accounts", "consoleManagesAccounts", .flag, hint: "consoleManagesAccountsHint"),
        ConsoleField(
            "dpop_bound_access_tokens", "consoleBoundTokens", .flag, hint: "consoleBoundTokensHint"),
        redirectURIs,
        ConsoleField(
            "post_logout_redirect_uris", "consoleLogoutURIs", .lines, hint: "consoleOnePerLine"),
        ConsoleField(
            "grant_types", "consoleGrantTypes",
            .boxes([
                "authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code",
                "urn:openid:params:grant-type:ciba",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "urn:ietf:params:oauth:grant-type:token-exchange",
                "urn:gatehouse:grant-type:passkey",
            ])),
        ConsoleField(
            "exchange_audiences", "consoleExchangeAudiences", .lines, hint: "consoleOnePerLine"),
        ConsoleField(
            "web_handoff_uris", "consoleHandoffURIs", .lines, hint: "consoleHandoffURIsHint"),
        ConsoleField("jwks", "consolePublicKeys", .json, hint: "consolePublicKeysHint"),
        ConsoleField("client_uri", "consoleHomePage", .optional),
        ConsoleField("logo_uri", "consoleLogo", .optional, hint: "consoleLogoHint"),
        ConsoleField("policy_uri", "consolePrivacyPage", .optional),
        ConsoleField("tos_uri", "consoleTermsPage", .optional),
    ]

    private static let name = ConsoleField("client_name", "consoleName", .optional)
    private static let redirectURIs = ConsoleField(
        "redirect_uris", "consoleRedirectURIs", .lines, hint: "consoleOnePerLine")
}
