// SPDX-License-Identifier: Apache-2.0

/// A text for the person.
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
    /// A sample of a fingerprint, and the number of remaining samples.
    case fingerprintSample(FingerprintSample, remaining: Int)
    /// Thank you; wait.
    case working(AuthenticatorDescription)
}
