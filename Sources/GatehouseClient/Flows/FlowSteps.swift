// SPDX-License-Identifier: Apache-2.0

/// One thing that a registration asks of the app.
public enum RegistrationStep: Sendable {
    /// A page is to be shown in a browser.
    case browser(BrowserChallenge)
    /// The operator's own identity provider is to be told something.
    case custom(CustomChallenge)
    /// A PIN is to be chosen.
    case createPIN(CreatePINChallenge)
    /// The PIN that was chosen is to be entered: the app was ended after the provider had taken it.
    case enterPIN(PINChallenge)
}

/// What came of a registration.
public struct RegistrationOutcome: Sendable {
    /// Who was registered, or registered again.
    public let profile: Profile
    /// They are signed in.
    public let session: UserSession
    /// `false` when the person had a profile here already, which is used again.
    public let isNewProfile: Bool
    /// What the operator's own identity provider said at the end; `nil` for other methods.
    public var providerAnswer: CustomPayload?
}

/// One thing that a sign-in asks of the app.
public enum AuthenticationStep: Sendable {
    /// The person's PIN.
    case enterPIN(PINChallenge)
    /// A look, a touch: whatever the authenticator has the person do.
    case authenticator(AuthenticatorChallenge)
}

/// One thing that the adding of an authenticator asks of the app.
public enum EnrollmentStep: Sendable {
    /// The person's PIN, where there is one: only they may add another way in.
    case enterPIN(PINChallenge)
    /// The new authenticator is about to ask for the first time.
    case authenticator(AuthenticatorChallenge)
}

/// One thing that a change of PIN asks of the app.
public enum PINChangeStep: Sendable {
    /// The PIN that counts now.
    case enterPIN(PINChallenge)
    /// The one that shall count.
    case createPIN(CreatePINChallenge)
}
