// SPDX-License-Identifier: Apache-2.0

/// Built-in verification (CTAP 2.1 section 6.5.3.1, performBuiltInUv).
///
/// Each attempt is subtracted from the counter, durably, before the gesture.
struct BuiltInVerificationRun {
    /// The number of attempts before verification fails.
    private static let attempts = 3

    private let operation: GesturePrompt.Operation
    private var remaining = Self.attempts

    init(_ operation: GesturePrompt.Operation) { self.operation = operation }

    /// Starts an attempt.
    ///
    /// - Throws: `uvBlocked` if the counter is 0, `uvInvalid` if all attempts of this run failed.
    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> GestureRequest {
        guard machine.state.verificationRetries > 0 else { throw .uvBlocked }
        guard remaining > 0 else { throw .uvInvalid }
        remaining -= 1
        try machine.commit { $0.verificationRetries -= 1 }
        return .verify(operation)
    }

    /// Evaluates an attempt. Returns the next gesture, or `nil` if the person is verified.
    ///
    /// - Throws: As ``begin(_:)``, or `keepaliveCancel`, `operationDenied`, `userActionTimeout`.
    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> GestureRequest? {
        guard case .verification(let outcome) = result.outcome else { throw .other }
        if outcome != .failed {
            try Self.returnAttempt(&machine, verified: outcome == .verified)
        }
        guard !result.isCancelled else { throw .keepaliveCancel }
        switch outcome {
        case .verified: return nil
        case .failed: return try begin(&machine)
        case .denied: throw .operationDenied
        case .timedOut: throw .userActionTimeout
        }
    }

    /// Restores all attempts after success, and one if verification did not take place.
    private static func returnAttempt(
        _ machine: inout AuthenticatorMachine, verified: Bool
    ) throws(CTAPStatus) {
        try machine.commit {
            $0.verificationRetries =
                verified
                ? AuthenticatorState.maximumVerificationRetries
                : min($0.verificationRetries + 1, AuthenticatorState.maximumVerificationRetries)
        }
    }
}
