// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The reason why a key, a signed message or an encrypted message was refused.
package struct JOSEError: CodedError {
    /// Stable identifiers: scripts and tests rely on the raw values.
    package enum Code: String, Sendable, CaseIterable {
        // The message as such
        case malformed
        case tooLarge = "too_large"
        case invalidHeader = "invalid_header"
        case unsupportedCritical = "unsupported_critical"
        case unprotectedHeader = "unprotected_header"
        // The algorithm
        case algorithmNotAllowed = "algorithm_not_allowed"
        case algorithmUnsupported = "algorithm_unsupported"
        case compressionNotAllowed = "compression_not_allowed"
        // The key
        case keyMalformed = "key_malformed"
        case keyUnsupported = "key_unsupported"
        case keyTooWeak = "key_too_weak"
        case keyMismatch = "key_mismatch"
        case keyNotPermitted = "key_not_permitted"
        case keyNotFound = "key_not_found"
        case keySetRefused = "key_set_refused"
        // The outcome
        case signatureInvalid = "signature_invalid"
        case decryptionFailed = "decryption_failed"
        // Claims (RFC 7519)
        case claimsMalformed = "claims_malformed"
        case claimMissing = "claim_missing"
        case typeMismatch = "type_mismatch"
        case issuerMismatch = "issuer_mismatch"
        case audienceMismatch = "audience_mismatch"
        case subjectMismatch = "subject_mismatch"
        case expired
        case notYetValid = "not_yet_valid"
        case tooOld = "too_old"
        /// The library below failed; nothing is known about the input.
        case failure
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
