// SPDX-License-Identifier: Apache-2.0

/// The person before a software key: its button, its fingerprint sensor, its light.
///
/// A call lasts as long as the person needs; the key sends keep-alives meanwhile. When its task is
/// cancelled, it should return soon: whatever it then returns is not used. How long a person may
/// take is the gesture's own business.
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
