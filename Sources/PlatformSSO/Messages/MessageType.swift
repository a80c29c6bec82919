// SPDX-License-Identifier: Apache-2.0

/// The `typ` of Platform SSO's messages, which prevents the use of one kind as another.
package enum MessageType: String, Sendable, CaseIterable {
    case loginRequest = "platformsso-login-request+jwt"
    case refreshRequest = "platformsso-refresh-request+jwt"
    case keyRequest = "platformsso-key-request+jwt"
    /// An undocumented type that one server expects for key exchanges.
    case keyExchangeRequest = "platformsso-key-exchange-request+jwt"
    case authorizationRequest = "platformsso-authorization-request+jwt"
    case loginAssertion = "platformsso-login-assertion+jwt"
    case encryptedLoginAssertion = "platformsso-encrypted-login-assertion+jwt"
    case loginResponse = "platformsso-login-response+jwt"
    case keyResponse = "platformsso-key-response+jwt"

    /// The type of every message by extensions that were built with the SDK of macOS 13.
    package static let firstGeneration = "JWT"

    /// The media type of a response, which the device also accepts.
    package var mediaType: String { "application/\(rawValue)" }
}

/// `platform_sso_version` of a request. 1.0 is login and refresh; 2.0 adds the key service. Login
/// requests contain 1.0 even if the extension supports 2.0.
package enum ProtocolVersion: String, Sendable {
    case v1 = "1.0"
    case v2 = "2.0"

    /// Parses the version. Apple's table has `1` once where its examples have `1.0`.
    package init?(wire text: String) {
        switch text {
        case "1", "1.0": self = .v1
        case "2.0": self = .v2
        default: return nil
        }
    }
}

/// The `grant_type` inside a login or refresh request; that of the form is always ``jwtBearer``.
package enum GrantType: String, Sendable, CaseIterable {
    case password
    /// Secure Enclave key, smart card, and encrypted password.
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    case saml11 = "urn:ietf:params:oauth:grant-type:saml1_1-bearer"
    case saml2 = "urn:ietf:params:oauth:grant-type:saml2-bearer"
    /// The web login of macOS 27.
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    case refreshToken = "refresh_token"

    /// `grant_type` of the form that requests a nonce.
    package static let nonceRequest = "srv_challenge"
}
