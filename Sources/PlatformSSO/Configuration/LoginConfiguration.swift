// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// What an extension tells the system about its provider: Apple's
/// `ASAuthorizationProviderExtensionLoginConfiguration` as a value, with its names and defaults.
///
/// Addresses are text, keys are JWKs, certificates are DER. The pairs of setters for header and body
/// claims are one ``CustomClaims`` each.
package struct LoginConfiguration: Sendable, Equatable {
    // MARK: The provider (macOS 13)

    package let clientID: String
    package let issuer: String
    /// `aud` of assertions and key requests.
    package var audience: String
    package var tokenEndpointURL: String
    package var jwksEndpointURL: String
    package var accountDisplayName: String?
    /// Over the body of a 400 or 401; without it 401 alone is a wrong credential.
    package var invalidCredentialPredicate: ResponsePredicate?

    // MARK: Nonce (macOS 13)

    /// Without it the token endpoint.
    package var nonceEndpointURL: String?
    package var nonceResponseKeypath = "Nonce"
    package var serverNonceClaimName = "request_nonce"
    package var customNonceRequestValues: [FormField] = []

    // MARK: Login (macOS 13)

    /// Added to `openid offline_access`.
    package var additionalScopes = "urn:apple:platformsso"
    /// Added besides when an authorization prompt asks (macOS 14).
    package var additionalAuthorizationScopes: String?
    package var includePreviousRefreshTokenInLoginRequest = false
    /// Apple states no default; this one is ours.
    package var previousRefreshTokenClaimName = "previous_refresh_token"
    package var customLoginRequestValues: [FormField] = []
    package var customLoginRequestClaims = CustomClaims()
    package var customAssertionRequestClaims = CustomClaims()
    package var kerberosTicketMappings: [KerberosTicketMapping] = []

    // MARK: Federation (macOS 13.3)

    package var federationType = FederationType.none
    package var federationRequestURN: String?
    package var federationMEXURL: String?
    package var federationUserPreauthenticationURL: String?
    package var federationMEXURLKeypath = "federation_metadata_url"
    package var federationPredicate: ResponsePredicate?
    package var customFederationUserPreauthenticationRequestValues: [FormField] = []

    // MARK: Requests and tokens (macOS 14)

    package var customRequestJWTParameterName = "assertion"
    /// Roots to which every key of the provider must lead; empty for none.
    package var jwksTrustedRootCertificates: [[UInt8]] = []
    package var deviceContext: [UInt8]?
    package var uniqueIdentifierClaimName = "sub"
    /// Without it `claims.id_token.groups.values`.
    package var groupRequestClaimName: String?
    /// Without it `groups`.
    package var groupResponseClaimName: String?

    // MARK: Refresh (macOS 14)

    /// Refresh requests are sent only when this is set.
    package var refreshEndpointURL: String?
    package var customRefreshRequestValues: [FormField] = []
    package var customRefreshRequestClaims = CustomClaims()

    // MARK: Encrypted passwords (macOS 14, algorithms macOS 15)

    /// With it no password is sent in clear text.
    package var loginRequestEncryptionPublicKey: PublicJWK?
    /// The first field of `apv`; Apple states no default, its sample has `APPLEEMBEDDED`.
    package var loginRequestEncryptionAPVPrefix: [UInt8]?
    package var loginRequestEncryptionAlgorithm = EncryptionAlgorithm.ecdheA256GCM
    package var loginRequestHPKEPreSharedKey: Secret?
    package var loginRequestHPKEPreSharedKeyID: [UInt8]?
    package var hpkePreSharedKey: Secret?
    package var hpkePreSharedKeyID: [UInt8]?
    package var hpkeAuthPublicKey: PublicJWK?

    // MARK: Key service (macOS 14, protocol 2.0)

    /// Without it the token endpoint.
    package var keyEndpointURL: String?
    package var customKeyRequestValues: [FormField] = []
    package var customKeyRequestClaims = CustomClaims()
    package var customKeyExchangeRequestValues: [FormField] = []
    package var customKeyExchangeRequestClaims = CustomClaims()

    // MARK: Keys of people (macOS 14.4)

    package var userSecureEnclaveKeyBiometricPolicy: BiometricPolicy = []

    // MARK: Web login (macOS 27)

    package var authorizationURL: String?
    package var authorizationURLKeypath: String?
    package var fallbackFederationType = FederationType.none
    /// Whether every request names its purpose in a scope value.
    package var includePlatformSSOAuthorizationScopes = false

    /// - Parameter audience: Without it the token endpoint.
    package init(
        clientID: String, issuer: String, tokenEndpointURL: String, jwksEndpointURL: String,
        audience: String? = nil
    ) {
        self.clientID = clientID
        self.issuer = issuer
        self.tokenEndpointURL = tokenEndpointURL
        self.jwksEndpointURL = jwksEndpointURL
        self.audience = audience ?? tokenEndpointURL
    }
}

/// What an extension tells the system about one person:
/// `ASAuthorizationProviderExtensionUserLoginConfiguration` as a value.
package struct UserLoginConfiguration: Sendable, Equatable {
    package var loginUserName: String
    package var customLoginRequestClaims = CustomClaims()
    package var customAssertionRequestClaims = CustomClaims()

    package init(loginUserName: String) { self.loginUserName = loginUserName }
}
