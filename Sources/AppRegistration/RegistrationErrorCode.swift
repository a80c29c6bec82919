// SPDX-License-Identifier: Apache-2.0

/// The refusals of the registration endpoints: the `code` of their problem documents. Stable.
package enum RegistrationErrorCode: String, Sendable, CaseIterable {
    // Input
    case missingInput = "missing_input"
    case malformedInput = "malformed_input"
    case methodNotSupported = "method_not_supported"
    // The requesting app, see ``ApplicationVersion``
    /// With `minimum_version` if a newer one is required, and `update_url` if one is configured.
    case outdatedApplication = "outdated_application"
    /// With `minimum_version` if a newer one is required.
    case outdatedSystem = "outdated_system"
    /// The project requires listed apps, and this one is not listed.
    case unknownApplication = "unknown_application"
    // The ceremony
    case challengeRefused = "challenge_refused"
    case keyProofRefused = "key_proof_refused"
    case registrationIDTaken = "registration_id_taken"
    // The PIN
    case pinNotOffered = "pin_not_offered"
    case pinRefused = "pin_refused"
    /// With `attempts`: limit, used, remaining.
    case wrongPIN = "wrong_pin"
    /// With a signed `statement`, which is required for a device to delete the profile.
    case ended
    /// Any other refusal of a request about a PIN, without a reason.
    case refused
    // The evidence
    case tokenRefused = "token_refused"
    case tokenExpired = "token_expired"
    case tokenUsed = "token_used"
    /// `iat`, `exp` or `nbf` are not in the unit that the issuer was registered with.
    case tokenTimeUnit = "token_time_unit"
    case testKeyRefused = "test_key_refused"
    /// With `check`: the failed check of the evidence.
    case evidenceRefused = "evidence_refused"
    /// A required vendor did not respond; the registration may succeed later.
    case vendorUnavailable = "vendor_unavailable"
    // The custom identity provider
    case unknownIdentityProvider = "unknown_identity_provider"
    case transactionRefused = "transaction_refused"
    case transactionExpired = "transaction_expired"
    /// With `provider_status` (4000 to 4999) and `data`; with two steps possibly with another
    /// `transaction`.
    case tryAgain = "try_again"
    /// With `provider_status` (5000 to 5999) and `data`.
    case identityProviderRefused = "identity_provider_refused"
    case identityProviderUnavailable = "identity_provider_unavailable"
    // Existing registrations
    case personDisabled = "person_disabled"
    case alreadyRegistered = "already_registered"
    case keyTaken = "key_taken"
    case deviceRegistered = "device_registered"
    // After the registration
    case notSignedIn = "not_signed_in"
    case scopeMissing = "scope_missing"
    case deregistrationRefused = "deregistration_refused"
    case unknownInstallation = "unknown_installation"
    // Authenticators
    case authenticatorNotOffered = "authenticator_not_offered"
    case unknownAuthenticator = "unknown_authenticator"
    /// With the PIN, if the installation has one, and at most ten minutes ago.
    case freshSignInNeeded = "fresh_sign_in_needed"

    // Approvals
    case approvalsNotOffered = "approvals_not_offered"
    /// The installation has not enrolled for approval requests.
    case notEnrolled = "not_enrolled"
    case unknownApproval = "unknown_approval"
    /// The approval is decided, expired, or bound to another installation.
    case approvalHandled = "approval_handled"
    /// The response is not this installation's signed response for this approval.
    case approvalRefused = "approval_refused"

    // Web hand-off
    /// The URL is not among the client's `web_handoff_uris`.
    case webTargetRefused = "web_target_refused"

    /// The corresponding error of the Sudo User SDK (`SudoUserClientError`).
    package var sudoError: String {
        switch self {
        case .missingInput, .malformedInput, .registrationIDTaken, .unknownInstallation,
            .unknownIdentityProvider, .unknownAuthenticator, .unknownApproval, .approvalHandled:
            "invalidInput"
        case .methodNotSupported: "invalidRegistrationChallengeType"
        case .pinNotOffered, .unknownApplication, .authenticatorNotOffered, .approvalsNotOffered,
            .webTargetRefused:
            "invalidConfig"
        case .alreadyRegistered, .keyTaken, .deviceRegistered: "alreadyRegistered"
        case .vendorUnavailable, .identityProviderUnavailable: "serviceError"
        case .notSignedIn, .freshSignInNeeded: "notSignedIn"
        case .challengeRefused, .keyProofRefused, .pinRefused, .wrongPIN, .ended,
            .refused, .tokenRefused, .tokenExpired, .tokenUsed,
            .tokenTimeUnit, .testKeyRefused, .evidenceRefused, .transactionRefused,
            .transactionExpired, .tryAgain,
            .identityProviderRefused, .personDisabled, .scopeMissing, .deregistrationRefused,
            .outdatedApplication, .outdatedSystem, .notEnrolled, .approvalRefused:
            "notAuthorized"
        }
    }

    /// The error code of the Sudo service (`sudoplatform.identity.…`); `nil` if there is none.
    package var sudoServiceError: String? {
        switch self {
        case .missingInput: "MissingRequiredInputs"
        case .malformedInput: "DecodingError"
        case .methodNotSupported: "ChallengeTypeNotSupported"
        case .challengeRefused, .keyProofRefused, .evidenceRefused: "UserValidationFailed"
        case .tokenRefused, .tokenExpired, .tokenUsed, .tokenTimeUnit: "TokenValidationError"
        case .testKeyRefused: "TestRegCheckFailed"
        case .alreadyRegistered, .keyTaken: "AlreadyRegistered"
        case .deviceRegistered: "DeviceCheckAlreadyRegistered"
        case .vendorUnavailable, .identityProviderUnavailable: "ServiceError"
        case .unknownIdentityProvider, .transactionRefused, .transactionExpired, .tryAgain,
            .identityProviderRefused, .personDisabled, .pinNotOffered, .pinRefused, .wrongPIN,
            .ended, .refused, .registrationIDTaken,
            .notSignedIn, .scopeMissing, .deregistrationRefused,
            .unknownInstallation, .outdatedApplication, .outdatedSystem, .unknownApplication,
            .authenticatorNotOffered, .unknownAuthenticator, .freshSignInNeeded,
            .approvalsNotOffered, .notEnrolled, .unknownApproval, .approvalHandled,
            .approvalRefused, .webTargetRefused:
            nil
        }
    }
}
