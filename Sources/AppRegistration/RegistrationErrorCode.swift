// SPDX-License-Identifier: Apache-2.0

/// Every "no" of the registration endpoints: the `code` of their problem documents. Stable.
package enum RegistrationErrorCode: String, Sendable, CaseIterable {
    // What was sent
    case missingInput = "missing_input"
    case malformedInput = "malformed_input"
    case methodNotSupported = "method_not_supported"
    // The app that asks, see ``ApplicationVersion``
    /// With `minimum_version` when a newer one is needed, and `update_url` when one is known.
    case outdatedApplication = "outdated_application"
    /// With `minimum_version` when a newer one is needed.
    case outdatedSystem = "outdated_system"
    /// The project wants to know its apps, and does not know this one.
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
    /// With a signed `statement`, on which alone a device forgets the profile.
    case ended
    /// Every other "no" to a request about a PIN, without a word about why.
    case refused
    // The evidence
    case tokenRefused = "token_refused"
    case tokenExpired = "token_expired"
    case tokenUsed = "token_used"
    /// `iat`, `exp` or `nbf` are not in the unit that the issuer was registered with.
    case tokenTimeUnit = "token_time_unit"
    case testKeyRefused = "test_key_refused"
    /// With `check`: which check of the evidence failed.
    case evidenceRefused = "evidence_refused"
    /// A vendor who must be asked gave no answer; later perhaps.
    case vendorUnavailable = "vendor_unavailable"
    // The operator's own identity provider
    case unknownIdentityProvider = "unknown_identity_provider"
    case transactionRefused = "transaction_refused"
    case transactionExpired = "transaction_expired"
    /// With `provider_status` (4000 to 4999) and `data`; in two steps perhaps with another
    /// `transaction`.
    case tryAgain = "try_again"
    /// With `provider_status` (5000 to 5999) and `data`.
    case identityProviderRefused = "identity_provider_refused"
    case identityProviderUnavailable = "identity_provider_unavailable"
    // Who is registered already
    case personDisabled = "person_disabled"
    case alreadyRegistered = "already_registered"
    case keyTaken = "key_taken"
    case deviceRegistered = "device_registered"
    // Afterwards
    case notSignedIn = "not_signed_in"
    case scopeMissing = "scope_missing"
    case deregistrationRefused = "deregistration_refused"
    case unknownInstallation = "unknown_installation"
    // Authenticators
    case authenticatorNotOffered = "authenticator_not_offered"
    case unknownAuthenticator = "unknown_authenticator"
    /// With PIN, where the installation has one, and at most ten minutes ago.
    case freshSignInNeeded = "fresh_sign_in_needed"

    // Approvals
    case approvalsNotOffered = "approvals_not_offered"
    /// The installation has not said that it wants to be asked.
    case notEnrolled = "not_enrolled"
    case unknownApproval = "unknown_approval"
    /// It was decided before, is over, or waits for another installation.
    case approvalHandled = "approval_handled"
    /// The answer is not what this installation's key signs for this approval.
    case approvalRefused = "approval_refused"

    // To the web
    /// The client has no such address among its `web_handoff_uris`.
    case webTargetRefused = "web_target_refused"

    /// The error of the Sudo User SDK that an app has met so far (`SudoUserClientError`).
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

    /// What the Sudo service itself says (`sudoplatform.identity.…`); `nil` where it has no word.
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
