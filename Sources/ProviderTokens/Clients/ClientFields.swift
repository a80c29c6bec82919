// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
package import ProviderSettings
package import Storage

/// The keys of a client: the names of RFC 7591 section 2, one of RFC 9449, and those of this
/// provider (`first_party`, `manages_accounts`, `audience`, `exchange_audiences`,
/// `web_handoff_uris`, `id_token_claims`, `claims`, `access`, `required_acr`, `disabled`).
package enum ClientFields {
    static let authenticationMethods = [
        "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
    ]
    static let grantTypes = [
        "authorization_code", "refresh_token", "client_credentials",
        "urn:ietf:params:oauth:grant-type:device_code", "urn:openid:params:grant-type:ciba",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "urn:ietf:params:oauth:grant-type:token-exchange", "urn:gatehouse:grant-type:passkey",
    ]

    /// A web URL without a query.
    private static let webTarget: TextRule = { text in
        RedirectURI(text)?.host == nil || text.contains("?")
            ? ValidationIssue(.notWebTarget) : nil
    }

    private static let encryptionAlgorithms = ProviderMetadata.responseEncryptionAlgorithms
        .map(\.rawValue)
    private static let encryptions = ProviderMetadata.responseEncryptions.map(\.rawValue)

    package static let client: [RecordField<Client>] = [
        .text("client_name", .ordinary, \.metadata.clientName),
        .text(
            "token_endpoint_auth_method", .impersonating, \.metadata.tokenEndpointAuthMethod,
            rule: TextRules.oneOf(authenticationMethods)),
        .text("scope", .impersonating, \.metadata.scope, rule: TextRules.scope),
        .text("audience", .impersonating, \.metadata.audience),
        .text(
            "id_token_signed_response_alg", .ordinary, \.metadata.idTokenSignedResponseAlg,
            rule: TextRules.oneOf(["RS256", "ES256"])),
        .text(
            "id_token_claims", .ordinary, \.metadata.idTokenClaims,
            rule: TextRules.oneOf(["scopes", "minimal"])),
        access,
        .text(
            "required_acr", .impersonating, \.metadata.requiredContextClass,
            rule: TextRules.oneOf(ContextClass.allCases.map(\.rawValue))),
        claims.with(\.maximumCount, CustomClaim.maximumCount)
            .with(
                \.summary, "Claims of the client's own; each value is from one of three sources."),
        .text(
            "id_token_encrypted_response_alg", .ordinary, \.metadata.idTokenEncryptedResponseAlg,
            rule: TextRules.oneOf(encryptionAlgorithms)),
        .text(
            "id_token_encrypted_response_enc", .ordinary, \.metadata.idTokenEncryptedResponseEnc,
            rule: TextRules.oneOf(encryptions)),
        .text(
            "userinfo_encrypted_response_alg", .ordinary, \.metadata.userInfoEncryptedResponseAlg,
            rule: TextRules.oneOf(encryptionAlgorithms)),
        .text(
            "userinfo_encrypted_response_enc", .ordinary, \.metadata.userInfoEncryptedResponseEnc,
            rule: TextRules.oneOf(encryptions)),
        defaultMaxAge,
        .flag("first_party", .impersonatingWhenOn, \.metadata.firstParty),
        .flag("manages_accounts", .impersonatingWhenOn, \.metadata.managesAccounts),
        .flag("dpop_bound_access_tokens", .impersonating, \.metadata.bindsAccessTokens),
        .list(
            "redirect_uris", .impersonating, \.metadata.redirectURIs, rule: TextRules.redirectURI),
        .list(
            "post_logout_redirect_uris", .ordinary, \.metadata.postLogoutRedirectURIs,
            rule: TextRules.redirectURI),
        .list(
            "grant_types", .impersonating, \.metadata.grantTypes, rule: TextRules.oneOf(grantTypes)),
        .list(
            "response_types", .ordinary, \.metadata.responseTypes, rule: TextRules.oneOf(["code"])),
        .list("exchange_audiences", .impersonating, \.metadata.exchangeAudiences),
        .list("web_handoff_uris", .impersonating, \.metadata.webHandoffURIs, rule: webTarget),
        jwks,
        .text("client_uri", .ordinary, \.metadata.clientURI, rule: TextRules.webPage),
        .text("logo_uri", .ordinary, \.metadata.logoURI, rule: TextRules.image),
        .text("policy_uri", .ordinary, \.metadata.policyURI, rule: TextRules.webPage),
        .text("tos_uri", .ordinary, \.metadata.tosURI, rule: TextRules.webPage),
        .flag("disabled", .ordinary, \.disabled),
    ]

    private static let access = RecordField<Client>(
        name: "access", .ordinary, kinds: ["string", "object"], members: ClientAccess.keys
    ) {
        $0.metadata.access.flatMap {
            try? JSONParser.parse(Array($0.utf8), maximumBytes: 262_144)
        }
    } write: { value, client in
        if value == .null {
            client.metadata.access = nil
            return nil
        }
        do throws(ValidationIssue) {
            let access = try ClientAccess(value)
            client.metadata.access = access == .everybody ? nil : value.text
        } catch { return error }
        return nil
    }

    /// The table of the client's custom claims.
    private static let claims = RecordField<Client>(
        name: "claims", .impersonating, kinds: ["array"], members: CustomClaim.keys
    ) {
        $0.metadata.claims.flatMap {
            try? JSONParser.parse(Array($0.utf8), maximumBytes: 262_144)
        }
    } write: { value, client in
        if value == .null {
            client.metadata.claims = nil
            return nil
        }
        guard let rows = value.array else { return .wrongKind(value, wanted: .wordList) }
        guard rows.count <= CustomClaim.maximumCount else {
            return ValidationIssue(.notMappings, ["most": "\(CustomClaim.maximumCount)"])
        }
        var names: Set<String> = []
        for (index, row) in rows.enumerated() {
            do throws(ValidationIssue) {
                let name = try CustomClaim(row).name
                guard names.insert(name).inserted else {
                    return ValidationIssue(.claimTwice, ["name": .text(name)])
                        .ofElement(index, named: nil)
                }
            } catch { return error.ofElement(index, named: row["claim"]?.string) }
        }
        client.metadata.claims = rows.isEmpty ? nil : value.text
        return nil
    }

    /// A JWK Set (RFC 7517 section 5), stored as text. It must contain only public keys: a private
    /// key in a document is compromised.
    private static let jwks = RecordField<Client>(
        name: "jwks", .impersonating, kinds: ["object"]
    ) {
        $0.metadata.jwks.flatMap {
            try? JSONParser.parse(Array($0.utf8), maximumBytes: 65_536)
        }
    } write: { value, client in
        guard let keys = value["keys"]?.array, !keys.isEmpty, keys.count <= 20,
            keys.allSatisfy({ $0["kty"]?.string != nil })
        else { return ValidationIssue(.notKeySet) }
        guard keys.allSatisfy({ $0["d"] == nil && $0["k"] == nil }) else {
            return ValidationIssue(.privateKey)
        }
        client.metadata.jwks = value.text
        return nil
    }

    private static let defaultMaxAge = RecordField<Client>(
        name: "default_max_age", .ordinary, kinds: ["integer"]
    ) {
        $0.metadata.defaultMaxAge.map(JSONValue.integer)
    } write: { value, client in
        guard let seconds = value.integer, seconds >= 0 else {
            return ValidationIssue(.notAnySeconds)
        }
        client.metadata.defaultMaxAge = seconds
        return nil
    }

    /// Checks conditions across keys.
    package static func complaint(about client: Client, hasSecret: Bool) -> CrossFieldRule? {
        let metadata = client.metadata
        if let complaint = complaint(aboutScopeOf: metadata) { return ("scope", complaint) }
        let usesCode = metadata.grantTypes.contains("authorization_code")
        if usesCode, metadata.redirectURIs.isEmpty {
            return ("redirect_uris", ValidationIssue(.redirectNeeded))
        }
        switch metadata.tokenEndpointAuthMethod {
        case "none" where metadata.grantTypes.contains("client_credentials"):
            return ("token_endpoint_auth_method", ValidationIssue(.authenticationNeeded))
        case "none" where hasSecret:
            return ("client_secret", ValidationIssue(.secretUnused))
        case "private_key_jwt" where metadata.jwks == nil:
            return ("jwks", ValidationIssue(.keysNeeded))
        default: return complaint(aboutEncryptionFor: metadata)
        }
    }

    /// A scope that the client may not have is an error, because tokens would silently omit it.
    private static func complaint(aboutScopeOf metadata: ClientMetadata) -> ValidationIssue? {
        guard let registered = ScopeSet(metadata.scope),
            let word = registered.subtracting(metadata.permittedScope).values.first
        else {
            let isDropped =
                metadata.scope.split(separator: " ").contains("offline_access")
                && !metadata.grantTypes.contains("refresh_token")
            return isDropped ? ValidationIssue(.refreshNeeded) : nil
        }
        return ValidationIssue(.scopeOfOurs, ["name": .text(word)])
    }

    /// Whether the client has keys for the encryption that it requests.
    private static func complaint(
        aboutEncryptionFor metadata: ClientMetadata
    ) -> CrossFieldRule? {
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
            let name: [String: ValidationIssue.Value] = ["name": .text(named.alg)]
            return switch obstacle {
            case .encryptionAlone: (named.enc, ValidationIssue(.encryptionAlone, name))
            case .noKey: ("jwks", ValidationIssue(.encryptionKeyNeeded, name))
            case .unknownAlgorithm: (named.alg, .notOneOf(encryptionAlgorithms))
            case .unknownEncryption: (named.enc, .notOneOf(encryptions))
            }
        }
        return nil
    }
}
