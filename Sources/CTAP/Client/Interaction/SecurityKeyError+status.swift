// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyError {
    /// Converts a status of CTAP2 (CTAP 2.2 section 8.2). The remaining attempts are absent here;
    /// callers request them where required.
    package init(_ status: CTAPStatus) {
        self =
            switch status {
            case .pinInvalid: .wrongPIN(triesLeft: nil)
            case .pinAuthBlocked: .mustBeReinserted
            case .pinBlocked: .pinBlocked
            case .pinNotSet: .pinNotSet
            case .pinRequired: .pinRequired
            case .pinPolicyViolation: .pinPolicyViolation
            case .uvInvalid: .notRecognised
            case .uvBlocked: .verificationBlocked
            case .credentialExcluded: .alreadyRegistered
            case .noCredentials, .invalidCredential: .noCredential
            case .keyStoreFull: .credentialStoreFull
            case .fingerprintDatabaseFull: .fingerprintStoreFull
            case .largeBlobStorageFull: .largeBlobStoreFull
            case .unsupportedAlgorithm: .unsupportedAlgorithm
            case .keepaliveCancel: .cancelled
            case .userActionTimeout, .actionTimeout: .touchTimedOut
            case .operationDenied, .userPresenceRequired: .denied
            case .channelBusy, .operationPending, .processing, .userActionPending: .keyBusy
            case .timeout: .timedOut
            case .invalidCommand, .invalidSubcommand: .unsupported("this command")
            case .unsupportedOption, .invalidOption: .unsupported("this option")
            case .notAllowed, .noOperationPending, .noOperations: .notAllowedNow
            case .requestTooLarge, .limitExceeded: .requestTooLarge
            case .integrityFailure: .storedDataDamaged
            default: .refused(status)
            }
    }

    /// Converts an error of the transport.
    package init(_ error: TransportError) {
        self =
            switch error {
            case .removed, .closed: .keyRemoved
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .busy: .keyBusy
            case .accessDenied: .accessDenied
            case .channel(let status): SecurityKeyError(status)
            case .protocolViolation(let reason): .untrustworthyReply(reason)
            case .tooLong: .requestTooLarge
            case .system(let code): .systemFailure(code)
            }
    }
}
