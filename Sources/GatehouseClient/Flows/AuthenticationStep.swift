// SPDX-License-Identifier: Apache-2.0

/// A step of a sign-in that the app must handle.
public enum AuthenticationStep: Sendable {
    /// The person's PIN.
    case enterPIN(PINChallenge)
    /// A look, a touch: whatever the authenticator has the person do.
    case authenticator(AuthenticatorChallenge)
}
