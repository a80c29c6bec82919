// SPDX-License-Identifier: Apache-2.0

/// The parameters of an authorization request that the rules read. Other parameters are dropped
/// (RFC 6749 section 3.1: unrecognized parameters are ignored).
enum AuthorizationParameter: String, Sendable, CaseIterable {
    case clientID = "client_id"
    case redirectURI = "redirect_uri"
    case responseType = "response_type"
    case responseMode = "response_mode"
    case scope, state, nonce, prompt, claims
    case codeChallenge = "code_challenge"
    case codeChallengeMethod = "code_challenge_method"
    case keyThumbprint = "dpop_jkt"
    case maxAge = "max_age"
    case contextClasses = "acr_values"
    case loginHint = "login_hint"
    case identityProvider = "identity_provider"
    case idTokenHint = "id_token_hint"
    case languages = "ui_locales"
    /// Not supported: a request with one of these is refused.
    case request, registration
    case requestURI = "request_uri"

    /// Maximum length of the value in bytes.
    var limit: Int? {
        switch self {
        case .state, .claims: 4096
        case .scope: 2048
        case .nonce: 1024
        case .loginHint, .languages, .identityProvider: 256
        case .contextClasses: 512
        case .idTokenHint: 8192
        default: nil
        }
    }
}

/// The values of a request by parameter.
typealias AuthorizationParameters = [AuthorizationParameter: String]

extension AuthorizationParameters {
    /// Drops parameters that no rule reads.
    init(_ sent: [String: String]) {
        self.init()
        for name in AuthorizationParameter.allCases { self[name] = sent[name.rawValue] }
    }
}
