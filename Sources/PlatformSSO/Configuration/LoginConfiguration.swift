// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The provider's configuration that an extension passes to the system: Apple's
/// `ASAuthorizationProviderExtensionLoginConfiguration` as a value, with its names and defaults.
///
/// URLs are text, keys are JWKs, certificates are DER. The pairs of setters for header and body
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
    /// A predicate over the body of a 400 or 401; without it only 401 is a wrong credential.
    package var invalidCredentialPredicate: ResponsePredicate?

    // MARK: Nonce (macOS 13)

    /// The token endpoint by default.
    package var nonceEndpointURL: String?
    package var nonceResponseKeypath = "Nonce"
    package var serverNonceClaimName = "request_nonce"
    package var customNonceRequestValues: [FormField] = []

    // MARK: Login (macOS 13)

    /// Added to `openid offline_access`.
    package var additionalScopes = "urn:apple:platformsso"
    /// Added if the request belongs to an authorization prompt (macOS 14).
    package var additionalAuthorizationScopes: String?
    package var includePreviousRefreshTokenInLoginRequest = false
    /// Apple documents no default; this one is specific to this package.
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
    /// Roots to which the certificates of every key of the provider must lead; empty for none.
    package var jwksTrustedRootCertificates: [[UInt8]] = []
    package var deviceContext: [UInt8]?
    package var uniqueIdentifierClaimName = "sub"
    /// `claims.id_token.groups.values` by default.
    package var groupRequestClaimName: String?
    /// `groups` by default.
    package var groupResponseClaimName: String?

    // MARK: Refresh (macOS 14)

    /// Refresh requests are sent only if this is set.
    package var refreshEndpointURL: String?
    package var customRefreshRequestValues: [FormField] = []
    package var customRefreshRequestClaims = CustomClaims()

    // MARK: Encrypted passwords (macOS 14, algorithms macOS 15)

    /// If set, passwords are sent encrypted only.
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

    /// The token endpoint by default.
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
    /// Whether every request contains its purpose as a scope value.
    package var includePlatformSSOAuthorizationScopes = false

    /// - Parameter audience: The token endpoint by default.
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

/// The configuration of one person that an extension passes to the system:
/// `ASAuthorizationProviderExtensionUserLoginConfiguration` as a value.
package struct UserLoginConfiguration: Sendable, Equatable {
    package var loginUserName: String
    package var customLoginRequestClaims = CustomClaims()
    package var customAssertionRequestClaims = CustomClaims()

    package init(loginUserName: String) { self.loginUserName = loginUserName }
}
