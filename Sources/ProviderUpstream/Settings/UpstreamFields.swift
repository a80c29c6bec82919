// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderCore
package import ProviderSettings
package import Storage

/// The keys of an entry in `identity_providers`, except `identifier` and `kind`, which cannot
/// change.
package enum UpstreamFields {
    static let authenticationMethods = [
        "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
    ]

    package static let provider: [RecordField<UpstreamProvider>] = [
        .flag("enabled", .impersonatingWhenOn, \.isEnabled),
        .text("button_text", .ordinary, \.settings.buttonText),
        .text("icon", .ordinary, \.settings.icon, rule: icon),
        .text("issuer", .impersonating, \.settings.issuer, rule: issuer),
        .text("client_id", .impersonating, \.settings.clientID).with(\.isNeeded, true),
        .text(
            "token_endpoint_auth_method", .impersonating, \.settings.authenticationMethod,
            rule: TextRules.oneOf(authenticationMethods)),
        .text(
            "authorization_endpoint", .impersonating, \.settings.authorizationEndpoint,
            rule: address),
        .text("token_endpoint", .impersonating, \.settings.tokenEndpoint, rule: address),
        .text("userinfo_endpoint", .impersonating, \.settings.userInfoEndpoint, rule: address),
        .text("jwks_uri", .impersonating, \.settings.jwksURI, rule: address),
        .list("scopes", .ordinary, \.settings.scopes, rule: word),
        map("claims", .impersonating, \.settings.claims, names: ClaimMapping.names)
            .with(\.summary, "Local claim names, and those of the provider."),
        .list("acr_values", .impersonating, \.settings.acrValues, rule: word),
        map(
            "acr", .impersonating, \.settings.contextClasses,
            values: ContextClass.allCases.map(\.rawValue)
        ).with(\.summary, "The acr of the provider, and the local acr."),
        .flag("create_people", .ordinary, \.settings.createsPeople),
        .flag("trust_email", .impersonatingWhenOn, \.settings.trustsEmail),
        .flag("link_only", .impersonating, \.settings.linkOnly),
        .flag("refresh_claims", .impersonating, \.settings.refreshesClaims),
        .flag("sign_out", .ordinary, \.settings.signsOut),
        .text(
            "response_mode", .ordinary, \.settings.responseMode,
            rule: TextRules.oneOf(["query", "form_post"])),
        .flag("encrypted_id_tokens", .ordinary, \.settings.encryptsIDTokens),
    ]

    /// Checks conditions across keys.
    package static func complaint(_ provider: UpstreamProvider) -> CrossFieldRule? {
        let settings = provider.settings
        guard !settings.clientID.isEmpty else { return ("client_id", ValidationIssue(.missing)) }
        switch provider.kind {
        case .oidc:
            guard !settings.issuer.isEmpty else { return ("issuer", ValidationIssue(.missing)) }
            guard settings.claims["sub"] == nil else {
                return ("claims", ValidationIssue(.namesSubject))
            }
        case .oauth:
            let needed = [
                ("authorization_endpoint", settings.authorizationEndpoint),
                ("token_endpoint", settings.tokenEndpoint),
                ("userinfo_endpoint", settings.userInfoEndpoint),
            ]
            if let missing = needed.first(where: \.1.isEmpty) {
                return (missing.0, ValidationIssue(.endpointNeeded))
            }
            guard settings.contextClasses.isEmpty, settings.acrValues.isEmpty else {
                return ("acr", ValidationIssue(.notOfOAuth))
            }
            guard !settings.encryptsIDTokens else {
                return ("encrypted_id_tokens", ValidationIssue(.notOfOAuth))
            }
        }
        return nil
    }

    /// The context to which the secret is sealed.
    package static func sealContext(_ provider: UpstreamProvider) -> String {
        "upstream-provider/\(provider.project)/\(provider.id)"
    }

    private static let icon: TextRule = { $0.isEmpty ? nil : TextRules.image($0) }

    private static let address: TextRule = { text in
        text.isEmpty || OutgoingURL(text) != nil
            ? nil : ValidationIssue(.notUpstreamAddress)
    }

    /// OpenID Connect Discovery 1.0 section 3: no query, no fragment.
    private static let issuer: TextRule = { text in
        if let complaint = address(text) { return complaint }
        return text.contains("?") ? ValidationIssue(.query) : nil
    }

    private static let word: TextRule = { text in
        !text.isEmpty && !text.contains(" ") ? TextRules.scope(text) : ValidationIssue(.notWord)
    }

    private static let maximumEntries = 50

    private static func map(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<UpstreamProvider, [String: String]> & Sendable),
        names: [String]? = nil, values: [String]? = nil
    ) -> RecordField<UpstreamProvider> {
        RecordField(name: name, effect) { provider in
            .object(
                JSONObject(
                    provider[keyPath: path].sorted { $0.key < $1.key }
                        .map { .init(name: $0.key, value: .string($0.value)) }))
        } write: { value, provider in
            guard let object = value.object, object.members.count <= maximumEntries else {
                return ValidationIssue(.notNames, ["most": "\(maximumEntries)"])
            }
            var read: [String: String] = [:]
            for member in object.members {
                guard let text = member.value.string, (1...255).contains(text.utf8.count),
                    (1...255).contains(member.name.utf8.count)
                else { return ValidationIssue(.notShortTexts) }
                if let complaint = names.flatMap({ TextRules.oneOf($0)(member.name) })
                    ?? values.flatMap({ TextRules.oneOf($0)(text) })
                    ?? TextRules.line(text) ?? TextRules.line(member.name)
                {
                    return complaint.quoting(member.name)
                }
                read[member.name] = text
            }
            provider[keyPath: path] = read
            return nil
        }
    }
}
