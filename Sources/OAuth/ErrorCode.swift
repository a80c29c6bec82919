// SPDX-License-Identifier: Apache-2.0

/// Error codes that go on the wire, each with the document that registers it.
package enum ErrorCode {
    // RFC 6749 sections 4.1.2.1 and 5.2
    package static let invalidRequest = "invalid_request"
    package static let invalidClient = "invalid_client"
    package static let invalidGrant = "invalid_grant"
    package static let invalidScope = "invalid_scope"
    package static let unauthorizedClient = "unauthorized_client"
    package static let unsupportedGrantType = "unsupported_grant_type"
    package static let unsupportedResponseType = "unsupported_response_type"
    package static let accessDenied = "access_denied"
    // RFC 6750 section 3.1
    package static let invalidToken = "invalid_token"
    package static let insufficientScope = "insufficient_scope"
    // RFC 8628 section 3.5
    package static let authorizationPending = "authorization_pending"
    package static let slowDown = "slow_down"
    package static let expiredToken = "expired_token"
    // CIBA Core 1.0 section 13
    package static let unknownUserID = "unknown_user_id"
    package static let invalidBindingMessage = "invalid_binding_message"
    // RFC 8693 section 2.2.2
    package static let invalidTarget = "invalid_target"
    // RFC 9449 sections 5 and 8
    package static let invalidDPoPProof = "invalid_dpop_proof"
    package static let useDPoPNonce = "use_dpop_nonce"
    // OpenID Connect Core section 3.1.2.6
    package static let loginRequired = "login_required"
    package static let consentRequired = "consent_required"
    package static let interactionRequired = "interaction_required"
    package static let accountSelectionRequired = "account_selection_required"
    package static let requestNotSupported = "request_not_supported"
    package static let requestURINotSupported = "request_uri_not_supported"
    package static let registrationNotSupported = "registration_not_supported"
    // OpenID Connect Core Error Code unmet_authentication_requirements 1.0, section 2
    package static let unmetAuthenticationRequirements = "unmet_authentication_requirements"
}
