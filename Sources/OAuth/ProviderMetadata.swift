// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The metadata of an issuer: OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2.
package struct ProviderMetadata: Sendable {
    /// Without a trailing slash.
    package let issuer: String

    package init(issuer: String) { self.issuer = issuer }

    package static let scopes = [
        "openid", "profile", "email", "phone", "address", "groups", "offline_access",
        "registration", "entitlements",
    ]
    package static let claims = [
        "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "sid", "name",
        "given_name", "family_name", "nickname", "preferred_username", "picture", "website",
        "gender", "birthdate", "zoneinfo", "locale", "updated_at", "email", "email_verified",
        "phone_number", "phone_number_verified", "address", "groups",
    ]
    package static let clientAuthenticationMethods = [
        "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
    ]
    package static let assertionAlgorithms = ["ES256", "RS256", "PS256", "EdDSA"]
    /// The encryption of ID tokens and user info to clients: only to their public keys, and without
    /// SHA-1.
    package static let responseEncryptionAlgorithms: [JWEAlgorithm] = [
        .ecdhES, .ecdhESA128KW, .ecdhESA256KW, .rsaOAEP256,
    ]
    package static let responseEncryptions: [JWEEncryption] = [
        .a128CBCHS256, .a256CBCHS512, .a128GCM, .a256GCM,
    ]
    package static let grantTypes = [
        "authorization_code", "refresh_token", "client_credentials",
        TokenRequest.deviceCodeGrantType, TokenRequest.backchannelGrantType,
        TokenRequest.assertionGrantType,
        TokenRequest.tokenExchangeGrantType, TokenRequest.passkeyGrantType,
    ]
    /// Languages of the pages (BCP 47).
    package static let languages = ["en", "de"]
    /// The values of `acr`, the weakest first.
    package static let contextClasses = ContextClass.allCases.map(\.rawValue)

    /// The document, the same at both well-known places.
    package var json: [UInt8] {
        var object = JSONWriter(capacity: 4096)
        object.member("issuer", issuer)
        writeEndpoints(to: &object)
        writeAuthorization(to: &object)
        writeClientAuthentication(to: &object)
        writeTokens(to: &object)
        return object.finish()
    }

    private func writeEndpoints(to object: inout JSONWriter) {
        object.member("authorization_endpoint", issuer + "/authorize")
        object.member("token_endpoint", issuer + "/token")
        object.member("userinfo_endpoint", issuer + "/userinfo")
        object.member("jwks_uri", issuer + "/jwks")
        object.member("introspection_endpoint", issuer + "/introspect")
        object.member("revocation_endpoint", issuer + "/revoke")
        object.member("device_authorization_endpoint", issuer + "/device_authorization")
        object.member("backchannel_authentication_endpoint", issuer + "/bc-authorize")
        object.member("end_session_endpoint", issuer + "/end_session")
    }

    private func writeAuthorization(to object: inout JSONWriter) {
        object.member("scopes_supported", Self.scopes)
        object.member("response_types_supported", ["code"])
        object.member("response_modes_supported", ResponseMode.allCases.map(\.rawValue))
        object.member("grant_types_supported", Self.grantTypes)
        object.member("code_challenge_methods_supported", ["S256"])
        object.member("authorization_response_iss_parameter_supported", true)
        object.member("prompt_values_supported", Prompt.allCases.map(\.rawValue))
        object.member("display_values_supported", ["page", "popup", "touch", "wap"])
        object.member("acr_values_supported", Self.contextClasses)
        object.member("ui_locales_supported", Self.languages)
        object.member("claims_parameter_supported", true)
        object.member("request_parameter_supported", false)
        object.member("request_uri_parameter_supported", false)
        object.member("require_request_uri_registration", false)
    }

    private func writeClientAuthentication(to object: inout JSONWriter) {
        object.member("token_endpoint_auth_methods_supported", Self.clientAuthenticationMethods)
        object.member("token_endpoint_auth_signing_alg_values_supported", Self.assertionAlgorithms)
        let confidential = Self.clientAuthenticationMethods.filter { $0 != "none" }
        object.member("introspection_endpoint_auth_methods_supported", confidential)
        object.member(
            "introspection_endpoint_auth_signing_alg_values_supported", Self.assertionAlgorithms)
        object.member(
            "revocation_endpoint_auth_methods_supported", Self.clientAuthenticationMethods)
        object.member(
            "revocation_endpoint_auth_signing_alg_values_supported", Self.assertionAlgorithms)
    }

    private func writeTokens(to object: inout JSONWriter) {
        object.member("backchannel_token_delivery_modes_supported", ["poll"])
        object.member("backchannel_user_code_parameter_supported", false)
        object.member("subject_types_supported", ["public"])
        object.member("id_token_signing_alg_values_supported", ["ES256", "RS256"])
        let algorithms = Self.responseEncryptionAlgorithms.map(\.rawValue)
        let encryptions = Self.responseEncryptions.map(\.rawValue)
        object.member("id_token_encryption_alg_values_supported", algorithms)
        object.member("id_token_encryption_enc_values_supported", encryptions)
        object.member("userinfo_encryption_alg_values_supported", algorithms)
        object.member("userinfo_encryption_enc_values_supported", encryptions)
        object.member("claim_types_supported", ["normal"])
        object.member("claims_supported", Self.claims)
        object.member(
            "dpop_signing_alg_values_supported", DPoPProof.algorithms.map(\.rawValue))
    }
}
