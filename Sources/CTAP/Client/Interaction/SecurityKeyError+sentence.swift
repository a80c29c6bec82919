// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyError {
    /// The error and its remedy, in one or two sentences for a person.
    package var sentence: String {
        switch self {
        case .wrongPIN(let triesLeft): Self.wrongPIN(triesLeft)
        case .mustBeReinserted:
            "The PIN was wrong too many times in a row. Take the security key out, put it back in, "
                + "and try again."
        case .pinBlocked:
            "The PIN of this security key is blocked. Only a reset, which erases its credentials, "
                + "makes it usable again."
        case .pinNotSet: "This security key has no PIN yet."
        case .pinRequired: "This security key needs its PIN."
        case .pinTooShort(let minimum): "The PIN must have at least \(minimum) characters."
        case .pinTooLong: "The PIN must not be longer than 63 bytes."
        case .pinPolicyViolation: "The security key does not accept this PIN. Choose another one."
        case .pinMustBeChanged: "The PIN of this security key must be changed first."
        case .notRecognised: "The security key did not recognise you."
        case .verificationBlocked:
            "The security key's own check is blocked after too many failures. Use its PIN."
        case .verificationUnavailable:
            "This site requires verification of the person, and this security key has neither a "
                + "PIN nor a fingerprint."
        case .alreadyRegistered: "This security key is already registered."
        case .noCredential: "This security key has no credential for this site."
        case .unknownCredential: "No passkey on this security key has that id."
        case .ambiguousCredential: "Several passkeys on this security key have ids that begin so."
        case .credentialStoreFull: "This security key cannot store another credential."
        case .fingerprintStoreFull: "This security key cannot store another fingerprint."
        case .largeBlobStoreFull: "This security key cannot store this data."
        case .unsupportedAlgorithm:
            "This security key has none of the signature algorithms that the site accepts."
        case .cancelled: "You cancelled."
        case .touchTimedOut: "The security key was not touched in time."
        case .denied: "The security key refused."
        default: deviceSentence
        }
    }

    private static func wrongPIN(_ triesLeft: Int?) -> String {
        switch triesLeft {
        case nil: "The PIN is wrong."
        case 1: "The PIN is wrong. One try is left before the security key blocks."
        case let tries?: "The PIN is wrong. \(tries) tries are left."
        }
    }

    private var deviceSentence: String {
        switch self {
        case .noKey: "No security key is connected."
        case .keyRemoved: "The security key was removed."
        case .keyBusy: "Another program is using the security key."
        case .accessDenied: "This user may not open the security key."
        case .timedOut: "The security key did not answer in time."
        case .unsupported(let what): "This security key does not have \(what)."
        case .notAllowedNow:
            "The security key does not allow this now. Some operations work only in the first "
                + "seconds after it was put in."
        case .requestTooLarge: "The request is too large for this security key."
        case .storedDataDamaged: "Data stored on the security key are damaged."
        case .untrustworthyReply: "The security key gave an answer that cannot be trusted."
        case .refused(let status): "The security key refused: \(status)."
        case .systemFailure(let code): "The system could not reach the security key (\(code))."
        case .malformedOptions: "The site sent a request that is not valid."
        case .relyingPartyNotAllowed(let reason): reason.sentence
        default: "The security key could not be used."
        }
    }
}
