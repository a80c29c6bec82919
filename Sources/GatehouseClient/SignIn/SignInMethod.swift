// SPDX-License-Identifier: Apache-2.0

/// A method of signing in without a prompt by the app.
public enum SignInMethod: Sendable {
    /// The sign-in key of the installation signs a nonce of the provider.
    case deviceKey
    /// A credential of a registered issuer.
    case credential(any CredentialProvider)
    /// A passkey. The system prompts the person, who chooses the account.
    case passkey
}
