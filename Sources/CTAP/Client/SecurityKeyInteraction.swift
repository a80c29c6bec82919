// SPDX-License-Identifier: Apache-2.0

/// How a person takes part: a terminal, a window, or a test.
///
/// The client shows something whenever it waits for a person. What relying parties and keys say
/// of themselves comes without control characters and direction marks, cut to a bearable length.
/// When the task of a question is cancelled, because its time is over or another key was touched,
/// the answer is `nil`, and comes soon.
package protocol SecurityKeyInteraction: Sendable {
    /// Something to do or to know; there is no answer.
    func show(_ prompt: SecurityKeyPrompt) async
    /// The PIN of a key, or `nil` when the person gives up.
    func enterPIN(_ request: PINPrompt) async -> String?
    /// A PIN for a key that has none or must have another, or `nil` when the person gives up.
    func choosePIN(_ request: NewPINPrompt) async -> String?
    /// Which of several accounts to sign in with, or `nil` when the person gives up.
    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount?
    /// The operation is over, well or not: take the prompts away.
    func finished() async
}

/// What a person is told.
package enum SecurityKeyPrompt: Sendable, Equatable {
    /// No key is connected.
    case insertKey(SecurityKeyOperation)
    /// Several keys are connected and blink: touch the one to use.
    case touchOneOf([AuthenticatorDescription], SecurityKeyOperation)
    case touch(AuthenticatorDescription, SecurityKeyOperation)
    /// Use the fingerprint reader or whatever else the key verifies people with.
    case verify(AuthenticatorDescription, SecurityKeyOperation)
    /// It did not recognise the person.
    case verificationFailed(triesLeft: Int)
    /// A sample of a finger, and how many are still to come.
    case fingerprintSample(FingerprintSample, remaining: Int)
    /// Thank you; wait.
    case working(AuthenticatorDescription)
}

/// Asks for the PIN of a key.
package struct PINPrompt: Sendable, Equatable {
    package var key: AuthenticatorDescription
    package var operation: SecurityKeyOperation
    /// Why it is asked for again.
    package var problem: SecurityKeyError?
    /// How many wrong ones are left before the key blocks; `nil` when it does not say.
    package var triesLeft: Int?
}

/// Asks for a PIN to be made up.
package struct NewPINPrompt: Sendable, Equatable {
    package var key: AuthenticatorDescription
    package var operation: SecurityKeyOperation
    /// Why it is asked for again.
    package var problem: SecurityKeyError?
    /// In code points.
    package var minimumLength: Int
}

/// One account of several on a key, for the same relying party.
package struct SecurityKeyAccount: Sendable, Hashable {
    package var credentialId: [UInt8]
    package var userHandle: [UInt8]
    /// Absent when the key did not verify the person.
    package var name: String?
    package var displayName: String?
}
