// SPDX-License-Identifier: Apache-2.0
package import CTAP

/// Carries ceremonies out with some authenticator. ``CTAP/SecurityKeyClient`` does; tests do it
/// themselves.
package protocol CredentialClient: Sendable {
    func register(
        _ options: RegistrationOptions, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyRegistration

    func signIn(
        _ options: AssertionOptions, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyAssertion
}

/// A kind of authenticator for the controller.
package protocol CredentialAuthenticator: Sendable {
    /// Whether a sign-in could begin without anything being plugged in.
    func hasCredential(relyingParty: String, allowed: [CTAPCredentialDescriptor]) async -> Bool

    /// A client whose questions go to `interaction`.
    func client(interaction: any SecurityKeyInteraction) async throws -> any CredentialClient
}
