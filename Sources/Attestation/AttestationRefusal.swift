// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The refusal of evidence: a stable code for scripts that identifies the check, and a reason for
/// the log that is never sent to clients. Two refusals are equal if their codes are.
package struct AttestationRefusal: CodedError {
    /// Stable names.
    package enum Code: String, Sendable, CaseIterable {
        // Input
        case evidenceMalformed = "evidence_malformed"
        case formatUnsupported = "format_unsupported"
        // Chain and revocation
        case chainMalformed = "chain_malformed"
        case chainUntrusted = "chain_untrusted"
        case certificateRevoked = "certificate_revoked"
        case revocationUnknown = "revocation_unknown"
        case revocationStale = "revocation_stale"
        case extensionMissing = "extension_missing"
        case extensionMalformed = "extension_malformed"
        case extensionMisplaced = "extension_misplaced"
        case signatureInvalid = "signature_invalid"
        case decryptionFailed = "decryption_failed"
        // The binding
        case challengeMismatch = "challenge_mismatch"
        case keyMismatch = "key_mismatch"
        case keyIdentifierMismatch = "key_identifier_mismatch"
        case credentialIdentifierMismatch = "credential_identifier_mismatch"
        case nameMismatch = "name_mismatch"
        case activationMissing = "activation_missing"
        case activationMismatch = "activation_mismatch"
        // The application
        case applicationMismatch = "application_mismatch"
        case applicationUnrecognized = "application_unrecognized"
        case fingerprintMismatch = "fingerprint_mismatch"
        case environmentMismatch = "environment_mismatch"
        case validationCategoryNotAllowed = "validation_category_not_allowed"
        case licenceMissing = "licence_missing"
        case testingResponse = "testing_response"
        // The device
        case securityLevelTooLow = "security_level_too_low"
        case securityLevelMismatch = "security_level_mismatch"
        case keyOriginNotAllowed = "key_origin_not_allowed"
        case keyPurposeNotAllowed = "key_purpose_not_allowed"
        case keyNotBound = "key_not_bound"
        case userAuthenticationMissing = "user_authentication_missing"
        case rootOfTrustMissing = "root_of_trust_missing"
        case bootNotVerified = "boot_not_verified"
        case deviceUnlocked = "device_unlocked"
        case deviceNotRecognized = "device_not_recognized"
        case deviceIdentifierMismatch = "device_identifier_mismatch"
        case patchLevelTooOld = "patch_level_too_old"
        case quoteMissing = "quote_missing"
        case registerMissing = "register_missing"
        case registerMismatch = "register_mismatch"
        case bootNotAccepted = "boot_not_accepted"
        // Counter and time
        case counterNotZero = "counter_not_zero"
        case counterNotIncreased = "counter_not_increased"
        case timestampInvalid = "timestamp_invalid"
        // Apple's receipt
        case receiptMalformed = "receipt_malformed"
        case receiptMismatch = "receipt_mismatch"
        case receiptUntrusted = "receipt_untrusted"
        case receiptOutdated = "receipt_outdated"
    }

    package let code: Code
    /// Private: for the log.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
