// SPDX-License-Identifier: Apache-2.0

/// A step of a registration that the app must handle.
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
