// SPDX-License-Identifier: Apache-2.0

/// A step of adding an authenticator that the app must handle.
public enum EnrollmentStep: Sendable {
    /// The person's PIN, if the profile has one: only that person may add a sign-in method.
    case enterPIN(PINChallenge)
    /// The new authenticator is about to ask for the first time.
    case authenticator(AuthenticatorChallenge)
}
