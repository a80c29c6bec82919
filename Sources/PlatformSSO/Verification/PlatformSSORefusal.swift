// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The refusal of a message: a stable public code, and a reason for the log.
package struct PlatformSSORefusal: CodedError {
    /// Stable identifiers: scripts and tests rely on the raw values.
    package enum Code: String, Sendable, CaseIterable {
        // The form and the message as such
        case formMalformed = "form_malformed"
        case versionUnsupported = "version_unsupported"
        case malformed
        case tooLarge = "too_large"
        case typeMismatch = "type_mismatch"
        case certificateMalformed = "certificate_malformed"
        // Keys, signatures, encryption
        case algorithmNotAllowed = "algorithm_not_allowed"
        case hpkeNotOffered = "hpke_not_offered"
        case keyIDMalformed = "key_id_malformed"
        case keyIDMismatch = "key_id_mismatch"
        case keyNotFound = "key_not_found"
        case deviceUnknown = "device_unknown"
        case signatureInvalid = "signature_invalid"
        case decryptionFailed = "decryption_failed"
        case ephemeralKeyMalformed = "ephemeral_key_malformed"
        case apuMismatch = "apu_mismatch"
        case publicKeyMalformed = "public_key_malformed"
        // Claims of every message
        case claimMissing = "claim_missing"
        case claimMalformed = "claim_malformed"
        case clientMismatch = "client_mismatch"
        case issuerMismatch = "issuer_mismatch"
        case audienceMismatch = "audience_mismatch"
        case userMismatch = "user_mismatch"
        case expired
        case issuedInFuture = "issued_in_future"
        case notYetValid = "not_yet_valid"
        case lifetimeTooLong = "lifetime_too_long"
        case nonceMismatch = "nonce_mismatch"
        case serverNonceRefused = "server_nonce_refused"
        case serverNonceMismatch = "server_nonce_mismatch"
        case scopeMalformed = "scope_malformed"
        case scopeMismatch = "scope_mismatch"
        case grantUnsupported = "grant_unsupported"
        case groupsMalformed = "groups_malformed"
        // The encryption of the response
        case responseEncryptionUnsupported = "response_encryption_unsupported"
        case apvMalformed = "apv_malformed"
        case apvKeyMismatch = "apv_key_mismatch"
        case apvNonceMismatch = "apv_nonce_mismatch"
        // The proof of the person
        case assertionMalformed = "assertion_malformed"
        case passwordNotEncrypted = "password_not_encrypted"
        case userKeyUnknown = "user_key_unknown"
        case userSignatureInvalid = "user_signature_invalid"
        case wrongCredential = "wrong_credential"
        case certificateUntrusted = "certificate_untrusted"
        case certificateUnmapped = "certificate_unmapped"
        case certificateRevoked = "certificate_revoked"
        /// The revocation status of the certificate is unknown.
        case certificateStatusUnknown = "certificate_status_unknown"
        /// SAML assertions are not accepted.
        case samlNotOffered = "saml_not_offered"
        case samlRefused = "saml_refused"
        case refreshTokenRefused = "refresh_token_refused"
        // The key service
        case requestTypeUnsupported = "request_type_unsupported"
        case keyPurposeUnsupported = "key_purpose_unsupported"
        case keyContextRefused = "key_context_refused"
        // The web login
        case callbackMalformed = "callback_malformed"
        case stateMismatch = "state_mismatch"
        case redirectMismatch = "redirect_mismatch"
        /// The code is unknown, consumed, expired, or issued for another device.
        case codeRefused = "code_refused"
        // A device's checks of responses
        case keysNotTrusted = "keys_not_trusted"
        case authorizedPartyMismatch = "authorized_party_mismatch"
        case authenticationTimeMismatch = "authentication_time_mismatch"

        /// The HTTP status of the provider's response. macOS interprets 401 as a wrong credential
        /// and prompts the person again; all others mean "try later". An invalid message is not a
        /// wrong input of the person.
        package var status: Int {
            switch self {
            case .userKeyUnknown, .userSignatureInvalid, .wrongCredential, .refreshTokenRefused,
                .certificateUntrusted, .certificateUnmapped, .certificateRevoked, .codeRefused:
                401
            case .certificateStatusUnknown: 503
            default: 400
            }
        }
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: JOSEError) {
        let code: Code =
            switch error.code {
            case .tooLarge: .tooLarge
            case .algorithmNotAllowed, .algorithmUnsupported, .compressionNotAllowed, .keyMismatch,
                .keyNotPermitted, .keyTooWeak, .keyUnsupported:
                .algorithmNotAllowed
            case .signatureInvalid: .signatureInvalid
            case .decryptionFailed: .decryptionFailed
            case .keyNotFound: .keyNotFound
            default: .malformed
            }
        self.init(code, error.reason)
    }
}
