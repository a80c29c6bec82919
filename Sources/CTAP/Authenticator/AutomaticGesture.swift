// SPDX-License-Identifier: Apache-2.0

/// A gesture that always has the same result, at once.
package struct AutomaticGesture: UserGesture {
    private let confirmation: GestureOutcome
    private let verification: VerificationOutcome
    private let fingerprint: FingerprintSample

    package init(
        _ confirmation: GestureOutcome = .approved, verification: VerificationOutcome = .verified,
        fingerprint: FingerprintSample = .good
    ) {
        self.confirmation = confirmation
        self.verification = verification
        self.fingerprint = fingerprint
    }

    package func confirm(_ prompt: GesturePrompt) async -> GestureOutcome { confirmation }
    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome { verification }
    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample { fingerprint }
}
