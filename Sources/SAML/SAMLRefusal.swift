// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The reason why an assertion or a response of a security token service was refused: a stable
/// code, and a reason for the log.
package struct SAMLRefusal: CodedError {
    /// Stable identifiers: scripts and tests rely on the raw values.
    package enum Code: String, Sendable, CaseIterable {
        // The document
        case tooLarge = "too_large"
        case malformed
        /// A document type, an entity, a comment, CDATA or a processing instruction.
        case markupNotAllowed = "markup_not_allowed"
        case notAnAssertion = "not_an_assertion"
        /// More than one assertion, or something signed elsewhere than at its root.
        case wrapped
        case identifierMissing = "identifier_missing"
        case identifierTaken = "identifier_taken"
        // The signature
        case signatureMissing = "signature_missing"
        case signatureMalformed = "signature_malformed"
        case algorithmNotAllowed = "algorithm_not_allowed"
        case transformNotAllowed = "transform_not_allowed"
        case referenceMismatch = "reference_mismatch"
        case digestMismatch = "digest_mismatch"
        case signatureInvalid = "signature_invalid"
        // Content
        case issuerUnknown = "issuer_unknown"
        case versionMismatch = "version_mismatch"
        case timeMalformed = "time_malformed"
        case timeMissing = "time_missing"
        case notYetValid = "not_yet_valid"
        case expired
        case lifetimeTooLong = "lifetime_too_long"
        case audienceMismatch = "audience_mismatch"
        case conditionUnknown = "condition_unknown"
        case subjectMissing = "subject_missing"
        case confirmationRefused = "confirmation_refused"
        // WS-Trust
        case envelopeMalformed = "envelope_malformed"
        case faulted
        /// A fault for a wrong username or password.
        case authenticationFailed = "authentication_failed"
        case endpointMissing = "endpoint_missing"
        case contextMismatch = "context_mismatch"
        case tokenTypeUnsupported = "token_type_unsupported"
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: XMLError) {
        let code: Code =
            switch error {
            case .tooLarge, .tooComplex: .tooLarge
            case .markupNotAllowed: .markupNotAllowed
            case .notUTF8, .notWellFormed, .canonicalizationFailed: .malformed
            }
        self.init(code, error.rawValue)
    }
}
