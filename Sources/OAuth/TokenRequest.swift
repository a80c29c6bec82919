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
    /// CIBA Core 1.0 section 10.1.
    case backchannel(requestID: String)
    /// RFC 7523 section 2.1.
    ///
    /// - Parameter appAssertion: An App Attest assertion over the text of the assertion:
    ///   `app_assertion`, a Gatehouse parameter.
    case assertion(assertion: String, scope: String?, appAssertion: String? = nil)
    /// RFC 8693 section 2.1.
    case tokenExchange(TokenExchange)
    /// Ours, by RFC 6749 section 4.5: what a passkey has signed, as JSON.
    case passkey(response: String, scope: String?)

    package static let deviceCodeGrantType = "urn:ietf:params:oauth:grant-type:device_code"

    package static let backchannelGrantType = "urn:openid:params:grant-type:ciba"

    package static let assertionGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    package static let tokenExchangeGrantType =
        "urn:ietf:params:oauth:grant-type:token-exchange"

    package static let passkeyGrantType = "urn:gatehouse:grant-type:passkey"

    package enum ParseError: Error, Equatable {
        case missing(String)
        /// A parameter whose value is none that we take.
        case unsupported(String)
        case unsupportedGrantType
    }

    package init(form: [String: String]) throws(ParseError) {
        func require(_ name: String) throws(ParseError) -> String {
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
        case Self.backchannelGrantType:
            self = .backchannel(requestID: try require("auth_req_id"))
        case Self.assertionGrantType:
            self = .assertion(
                assertion: try require("assertion"), scope: form["scope"],
                appAssertion: form["app_assertion"])
        case Self.tokenExchangeGrantType:
            self = .tokenExchange(try TokenExchange(form, require: require))
        case Self.passkeyGrantType:
            self = .passkey(response: try require("passkey"), scope: form["scope"])
        default: throw .unsupportedGrantType
        }
    }
}

/// A token exchange: RFC 8693 section 2.1, only for access tokens of this issuer and without an
/// actor.
package struct TokenExchange: Sendable, Equatable {
    package let subjectToken: String
    /// One audience, by the service's name.
    package let audience: String
    package let scope: String?

    /// The type of the subject token and of the result.
    package static let tokenType = "urn:ietf:params:oauth:token-type:access_token"

    fileprivate init(
        _ form: [String: String], require: (String) throws(TokenRequest.ParseError) -> String
    ) throws(TokenRequest.ParseError) {
        subjectToken = try require("subject_token")
        guard try require("subject_token_type") == Self.tokenType else {
            throw .unsupported("subject_token_type")
        }
        guard form["requested_token_type"].map({ $0 == Self.tokenType }) ?? true else {
            throw .unsupported("requested_token_type")
        }
        for name in ["actor_token", "actor_token_type", "resource"] where form[name] != nil {
            throw .unsupported(name)
        }
        audience = try require("audience")
        scope = form["scope"]
    }
}
