// SPDX-License-Identifier: Apache-2.0

/// Asking the person.
extension SoftwareAuthenticator {
    /// Waits for a touch.
    ///
    /// - Throws: `operationDenied`, `userActionTimeout`, or `keepaliveCancel` when the client
    ///   cancelled meanwhile.
    func confirmPresence(_ operation: GesturePrompt.Operation) async throws(CTAPStatus) {
        activity.set(.userPresenceNeeded)
        let outcome = await gesture.confirm(GesturePrompt(operation))
        activity.set(.processing)
        guard !Task.isCancelled else { throw .keepaliveCancel }
        switch outcome {
        case .approved: return
        case .denied: throw .operationDenied
        case .timedOut: throw .userActionTimeout
        }
    }

    /// How often built-in verification tries again by itself before it says that it failed.
    private static let internalRetries = 3

    /// Built-in verification (CTAP 2.1 section 6.5.3.1, performBuiltInUv).
    ///
    /// A try is taken from the counter, durably, before the person is looked at.
    ///
    /// - Throws: `uvBlocked` when no try is left, `uvInvalid` when it failed, or as
    ///   ``confirmPresence(_:)``.
    func verifyByItself(_ operation: GesturePrompt.Operation) async throws(CTAPStatus) {
        for _ in 0..<Self.internalRetries {
            guard state.verificationRetries > 0 else { throw .uvBlocked }
            try commit { $0.verificationRetries -= 1 }
            activity.set(.userPresenceNeeded)
            let outcome = await gesture.verify(GesturePrompt(operation))
            activity.set(.processing)
            if outcome != .failed { try returnVerificationTry(verified: outcome == .verified) }
            guard !Task.isCancelled else { throw .keepaliveCancel }
            switch outcome {
            case .verified: return
            case .failed: continue
            case .denied: throw .operationDenied
            case .timedOut: throw .userActionTimeout
            }
        }
        throw state.verificationRetries == 0 ? .uvBlocked : .uvInvalid
    }

    /// All tries come back with success; one comes back when nobody was looked at.
    private func returnVerificationTry(verified: Bool) throws(CTAPStatus) {
        try commit {
            $0.verificationRetries =
                verified
                ? AuthenticatorState.maximumVerificationRetries
                : min($0.verificationRetries + 1, AuthenticatorState.maximumVerificationRetries)
        }
    }
}
