// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Storage

/// The keys of a client: RFC 7591 section 2 names, one of RFC 9449, and five of ours
/// (`first_party`, `audience`, `exchange_audiences`, `web_handoff_uris`, `disabled`).
enum ClientFields {
    static let authenticationMethods = [
        "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
    ]
    static let grantTypes = [
        "authorization_code", "refresh_token", "client_credentials",
        "urn:ietf:params:oauth:grant-type:device_code", "urn:openid:params:grant-type:ciba",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "urn:ietf:params:oauth:grant-type:token-exchange", "urn:gatehouse:grant-type:passkey",
    ]

    /// A place on the web, whatever its query.
    private static let webTarget: TextRule = { text in
        RedirectURI(text)?.host == nil || text.contains("?")
            ? StateComplaint(.notWebTarget) : nil
    }

    private static let encryptionAlgorithms = ProviderMetadata.responseEncryptionAlgorithms
        .map(\.rawValue)
    private static let encryptions = ProviderMetadata.responseEncryptions.map(\.rawValue)

    static let client: [RecordField<Client>] = [
        .text("client_name", \.metadata.clientName),
        .text("client_uri", \.metadata.clientURI, rule: TextRules.webPage),
        .text("logo_uri", \.metadata.logoURI, rule: TextRules.image),
        .text("policy_uri", \.metadata.policyURI, rule: TextRules.webPage),
        .text("tos_uri", \.metadata.tosURI, rule: TextRules.webPage),
        .text(
            "token_endpoint_auth_method", \.metadata.tokenEndpointAuthMethod,
            rule: TextRules.oneOf(authenticationMethods)),
        .list("grant_types", \.metadata.grantTypes, rule: TextRules.oneOf(grantTypes)),
        .list("response_types", \.metadata.responseTypes, rule: TextRules.oneOf(["code"])),
        .list("redirect_uris", \.metadata.redirectURIs, rule: TextRules.redirectURI),
        .list(
            "post_logout_redirect_uris", \.metadata.postLogoutRedirectURIs,
            rule: TextRules.redirectURI),
        .text("scope", \.metadata.scope, rule: TextRules.scope),
        jwks,
        .text(
            "id_token_signed_response_alg", \.metadata.idTokenSignedResponseAlg,
            rule: TextRules.oneOf(["ES256", "RS256"])),
        .text(
            "id_token_encrypted_response_alg", \.metadata.idTokenEncryptedResponseAlg,
            rule: TextRules.oneOf(encryptionAlgorithms)),
        .text(
            "id_token_encrypted_response_enc", \.metadata.idTokenEncryptedResponseEnc,
            rule: TextRules.oneOf(encryptions)),
        .text(
            "userinfo_encrypted_response_alg", \.metadata.userInfoEncryptedResponseAlg,
            rule: TextRules.oneOf(encryptionAlgorithms)),
        .text(
            "userinfo_encrypted_response_enc", \.metadata.userInfoEncryptedResponseEnc,
            rule: TextRules.oneOf(encryptions)),
        .flag("first_party", \.metadata.firstParty),
        defaultMaxAge,
        .text("audience", \.metadata.audience),
        .flag("dpop_bound_access_tokens", \.metadata.bindsAccessTokens),
        .list("exchange_audiences", \.metadata.exchangeAudiences),
        .list("web_handoff_uris", \.metadata.webHandoffURIs, rule: webTarget),
        .flag("disabled", \.disabled),
    ]

    /// A key set (RFC 7517 section 5), kept as text. Only public keys: a private one here has
    /// been given away.
    private static let jwks = RecordField<Client>(name: "jwks") {
        $0.metadata.jwks.flatMap {
            try? JSONParser.parse(Array($0.utf8), maximumBytes: 65_536)
        }
    } write: { value, client in
        guard let keys = value["keys"]?.array, !keys.isEmpty, keys.count <= 20,
            keys.allSatisfy({ $0["kty"]?.string != nil })
        else { return StateComplaint(.notKeySet) }
        guard keys.allSatisfy({ $0["d"] == nil && $0["k"] == nil }) else {
            return StateComplaint(.privateKey)
        }
        client.metadata.jwks = value.text
        return nil
    }

    private static let defaultMaxAge = RecordField<Client>(name: "default_max_age") {
        $0.metadata.defaultMaxAge.map(JSONValue.integer)
    } write: { value, client in
        guard let seconds = value.integer, seconds >= 0 else {
            return StateComplaint(.notAnySeconds)
        }
        client.metadata.defaultMaxAge = seconds
        return nil
    }

    /// What single keys cannot tell: do they go together?
    static func complaint(about client: Client, hasSecret: Bool) -> KeyComplaint? {
        let metadata = client.metadata
        let usesCode = metadata.grantTypes.contains("authorization_code")
        if usesCode, metadata.redirectURIs.isEmpty {
            return ("redirect_uris", StateComplaint(.redirectNeeded))
        }
        switch metadata.tokenEndpointAuthMethod {
        case "none" where metadata.grantTypes.contains("client_credentials"):
            return ("token_endpoint_auth_method", StateComplaint(.authenticationNeeded))
        case "none" where hasSecret:
            return ("client_secret", StateComplaint(.secretUnused))
        case "private_key_jwt" where metadata.jwks == nil:
            return ("jwks", StateComplaint(.keysNeeded))
        default: return complaint(aboutEncryptionFor: metadata)
        }
    }

    /// Whether the client has a key for what it wants encrypted.
    private static func complaint(
        aboutEncryptionFor metadata: ClientMetadata
    ) -> KeyComplaint? {
        let keys = metadata.jwks.flatMap { try? JWKSet(bytes: Array($0.utf8)) }
        let wishes = [
            ("id_token", metadata.idTokenEncryption(to: keys)),
            ("userinfo", metadata.userInfoEncryption(to: keys)),
        ]
        for (kind, wish) in wishes {
            guard case .failure(let obstacle) = wish else { continue }
            let named = (
                alg: "\(kind)_encrypted_response_alg", enc: "\(kind)_encrypted_response_enc"
            )
            let name: [String: StateComplaint.Value] = ["name": .text(named.alg)]
            return switch obstacle {
            case .encryptionAlone: (named.enc, StateComplaint(.encryptionAlone, name))
            case .noKey: ("jwks", StateComplaint(.encryptionKeyNeeded, name))
            case .unknownAlgorithm: (named.alg, .notOneOf(encryptionAlgorithms))
            case .unknownEncryption: (named.enc, .notOneOf(encryptions))
            }
        }
        return nil
    }
}
