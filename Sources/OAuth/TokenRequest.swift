// SPDX-License-Identifier: Apache-2.0

/// A message to the token endpoint (RFC 6749 section 3.2), as one value with its parameters typed.
/// Nothing in it is verified yet.
package enum TokenRequest: Sendable, Equatable {
    /// RFC 6749 section 4.1.3, RFC 7636 section 4.5.
    case authorizationCode(code: String, redirectURI: String?, verifier: String?)
    /// RFC 6749 section 6.
    case refreshToken(token: String, scope: String?)
    /// RFC 6749 section 4.4.2.
    case clientCredentials(scope: String?)
    /// RFC 8628 section 3.4.
    case deviceCode(code: String)
    /// RFC 7523 section 2.1.
    ///
    /// - Parameter appAssertion: of App Attest, over the letters of the assertion: `app_assertion`,
    ///   ours.
    case assertion(assertion: String, scope: String?, appAssertion: String? = nil)

    package static let deviceCodeGrantType = "urn:ietf:params:oauth:grant-type:device_code"

    package static let assertionGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    package enum Mistake: Error, Equatable {
        case missing(String)
        case unsupportedGrantType
    }

    package init(form: [String: String]) throws(Mistake) {
        func require(_ name: String) throws(Mistake) -> String {
            guard let value = form[name], !value.isEmpty else { throw .missing(name) }
            return value
        }
        switch try require("grant_type") {
        case "authorization_code":
            self = .authorizationCode(
                code: try require("code"), redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"])
        case "refresh_token":
            self = .refreshToken(token: try require("refresh_token"), scope: form["scope"])
        case "client_credentials":
            self = .clientCredentials(scope: form["scope"])
        case Self.deviceCodeGrantType:
            self = .deviceCode(code: try require("device_code"))
        case Self.assertionGrantType:
            self = .assertion(
                assertion: try require("assertion"), scope: form["scope"],
                appAssertion: form["app_assertion"])
        default: throw .unsupportedGrantType
        }
    }

    package var grantType: String {
        switch self {
        case .authorizationCode: "authorization_code"
        case .refreshToken: "refresh_token"
        case .clientCredentials: "client_credentials"
        case .deviceCode: Self.deviceCodeGrantType
        case .assertion: Self.assertionGrantType
        }
    }
}
