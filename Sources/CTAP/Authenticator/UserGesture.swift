// SPDX-License-Identifier: Apache-2.0

/// The input of a person at a software key: its button, its fingerprint sensor, its light.
///
/// The duration of a call is the implementation's decision; the key sends keep-alives during it. If
/// its task is cancelled, it should return promptly; the result is then ignored.
package protocol UserGesture: Sendable {
    /// The button.
    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome

    /// Built-in verification: the fingerprint sensor, or the lock screen of a platform.
    func verify(_ prompt: GesturePrompt) async -> VerificationOutcome

    /// One sample for a new finger.
    func sample(_ prompt: GesturePrompt) async -> FingerprintSample

    /// Makes the key noticed.
    func wink() async
}

extension UserGesture {
    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome { .failed }
    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample { .noUserActivity }
    package func wink() async {}
}
