// SPDX-License-Identifier: Apache-2.0

/// The result of a ``GestureRequest``.
package struct GestureResult: Sendable, Equatable {
    /// The outcome, one case for each kind of request.
    package enum Outcome: Sendable, Equatable {
        case confirmation(GestureOutcome)
        case verification(VerificationOutcome)
        case sample(FingerprintSample)
    }

    package let outcome: Outcome
    /// Whether the client cancelled the command during the gesture.
    package let isCancelled: Bool

    package init(_ outcome: Outcome, isCancelled: Bool = false) {
        self.outcome = outcome
        self.isCancelled = isCancelled
    }

    /// Verifies that the person touched the key.
    ///
    /// - Throws: `keepaliveCancel`, `operationDenied` or `userActionTimeout`.
    func requirePresence() throws(CTAPStatus) {
        guard !isCancelled else { throw .keepaliveCancel }
        switch outcome {
        case .confirmation(.approved): return
        case .confirmation(.denied): throw .operationDenied
        case .confirmation(.timedOut): throw .userActionTimeout
        case .verification, .sample: throw .other
        }
    }
}
