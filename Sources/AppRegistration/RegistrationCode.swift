// SPDX-License-Identifier: Apache-2.0

/// Every "no" of the registration endpoints: the `code` of their problem documents. Stable.
package enum RegistrationCode: String, Sendable, CaseIterable {
    // What was sent
    case missingInput = "missing_input"
    case malformedInput = "malformed_input"
    case methodNotSupported = "method_not_supported"
    // The ceremony
    case challengeRefused = "challenge_refused"
    case keyProofRefused = "key_proof_refused"
    case registrationIDTaken = "registration_id_taken"
    // The evidence
    case tokenRefused = "token_refused"
    case tokenExpired = "token_expired"
    case tokenUsed = "token_used"
    /// `iat`, `exp` or `nbf` are not in the unit that the issuer was registered with.
    case tokenTimeUnit = "token_time_unit"
    case testKeyRefused = "test_key_refused"
    // Who is registered already
    case alreadyRegistered = "already_registered"
    case keyTaken = "key_taken"
    // Afterwards
    case notSignedIn = "not_signed_in"
    case scopeMissing = "scope_missing"
    case deregistrationRefused = "deregistration_refused"
    case unknownInstallation = "unknown_installation"

    /// The error of the Sudo User SDK that an app has met so far (`SudoUserClientError`).
    package var sudoError: String {
        switch self {
        case .missingInput, .malformedInput, .registrationIDTaken, .unknownInstallation:
            "invalidInput"
        case .methodNotSupported: "invalidRegistrationChallengeType"
        case .alreadyRegistered, .keyTaken: "alreadyRegistered"
        case .notSignedIn: "notSignedIn"
        case .challengeRefused, .keyProofRefused, .tokenRefused, .tokenExpired, .tokenUsed,
            .tokenTimeUnit, .testKeyRefused, .scopeMissing, .deregistrationRefused:
            "notAuthorized"
        }
    }

    /// What the Sudo service itself says (`sudoplatform.identity.…`); `nil` where it has no word.
    package var sudoServiceError: String? {
        switch self {
        case .missingInput: "MissingRequiredInputs"
        case .malformedInput: "DecodingError"
        case .methodNotSupported: "ChallengeTypeNotSupported"
        case .challengeRefused, .keyProofRefused: "UserValidationFailed"
        case .tokenRefused, .tokenExpired, .tokenUsed, .tokenTimeUnit: "TokenValidationError"
        case .testKeyRefused: "TestRegCheckFailed"
        case .alreadyRegistered, .keyTaken: "AlreadyRegistered"
        case .registrationIDTaken, .notSignedIn, .scopeMissing, .deregistrationRefused,
            .unknownInstallation:
            nil
        }
    }
}
