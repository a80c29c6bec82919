// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The refusal of a ceremony: the failed step of the specification, a stable code for scripts, and
/// a reason for the log that is never sent to clients.
///
/// Two refusals are equal if step and code are; the reason is for people.
package struct WebAuthnRefusal: CodedError {
    /// Stable names.
    package enum Code: String, Sendable, CaseIterable {
        case responseMalformed = "response_malformed"
        case credentialTypeWrong = "credential_type_wrong"
        case clientDataMalformed = "client_data_malformed"
        case ceremonyTypeWrong = "ceremony_type_wrong"
        case challengeMismatch = "challenge_mismatch"
        case originNotAllowed = "origin_not_allowed"
        case crossOriginNotAllowed = "cross_origin_not_allowed"
        case topOriginNotAllowed = "top_origin_not_allowed"
        case attestationObjectMalformed = "attestation_object_malformed"
        case authenticatorDataMalformed = "authenticator_data_malformed"
        case rpIdMismatch = "rp_id_mismatch"
        case userPresenceMissing = "user_presence_missing"
        case userVerificationMissing = "user_verification_missing"
        case backupFlagsInvalid = "backup_flags_invalid"
        case backupEligibilityNotAllowed = "backup_eligibility_not_allowed"
        case publicKeyInvalid = "public_key_invalid"
        case algorithmNotAllowed = "algorithm_not_allowed"
        case extensionOutputUnexpected = "extension_output_unexpected"
        case extensionOutputMalformed = "extension_output_malformed"
        case credentialProtectionWeaker = "credential_protection_weaker"
        case attestationFormatUnsupported = "attestation_format_unsupported"
        case attestationStatementMalformed = "attestation_statement_malformed"
        case attestationAlgorithmMismatch = "attestation_algorithm_mismatch"
        case attestationSignatureInvalid = "attestation_signature_invalid"
        case attestationCertificateInvalid = "attestation_certificate_invalid"
        case attestationAAGUIDMismatch = "attestation_aaguid_mismatch"
        case attestationAlgorithmNotAllowed = "attestation_algorithm_not_allowed"
        case attestationKeyMismatch = "attestation_key_mismatch"
        case attestationChallengeMismatch = "attestation_challenge_mismatch"
        case attestationAAGUIDNotZero = "attestation_aaguid_not_zero"
        case attestationTPMStructureMalformed = "attestation_tpm_structure_malformed"
        case attestationTPMMagicWrong = "attestation_tpm_magic_wrong"
        case attestationTPMTypeWrong = "attestation_tpm_type_wrong"
        case attestationTPMNameMismatch = "attestation_tpm_name_mismatch"
        case attestationTPMVendorNotAllowed = "attestation_tpm_vendor_not_allowed"
        case attestationKeyDescriptionMalformed = "attestation_key_description_malformed"
        case attestationKeyAuthorizationWrong = "attestation_key_authorization_wrong"
        case attestationResponseMalformed = "attestation_response_malformed"
        case attestationDeviceNotGenuine = "attestation_device_not_genuine"
        case attestationTimestampInvalid = "attestation_timestamp_invalid"
        case attestationCompoundNested = "attestation_compound_nested"
        case attestationCompoundTooFew = "attestation_compound_too_few"
        case attestationModelNotAllowed = "attestation_model_not_allowed"
        case attestationNotAcceptable = "attestation_not_acceptable"
        case attestationUntrusted = "attestation_untrusted"
        case credentialIdMismatch = "credential_id_mismatch"
        case credentialIdLengthInvalid = "credential_id_length_invalid"
        case credentialNotAllowed = "credential_not_allowed"
        case credentialUnknown = "credential_unknown"
        case credentialOwnerMismatch = "credential_owner_mismatch"
        case userHandleMissing = "user_handle_missing"
        case userHandleMismatch = "user_handle_mismatch"
        case backupEligibilityChanged = "backup_eligibility_changed"
        case signatureInvalid = "signature_invalid"
        case signCountNotIncreased = "sign_count_not_increased"
    }

    package let step: CeremonyStep
    package let code: Code
    /// Private: for the log.
    package let reason: String

    package init(_ step: CeremonyStep, _ code: Code, _ reason: String) {
        self.step = step
        self.code = code
        self.reason = reason
    }

    package static func == (left: WebAuthnRefusal, right: WebAuthnRefusal) -> Bool {
        left.step == right.step && left.code == right.code
    }

    package var description: String { "\(code.rawValue) at step \(step): \(reason)" }
}

/// A numbered step of W3C Web Authentication Level 3, such as 7.1.9.
package struct CeremonyStep: Sendable, Hashable, CustomStringConvertible {
    package let ceremony: Ceremony
    package let number: Int

    package init(_ ceremony: Ceremony, _ number: Int) {
        self.ceremony = ceremony
        self.number = number
    }

    package var description: String { "\(ceremony.rawValue).\(number)" }
}

/// The two ceremonies, by the section that orders their steps.
package enum Ceremony: String, Sendable, Hashable {
    case registration = "7.1"
    case authentication = "7.2"
}
