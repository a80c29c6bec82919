// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// Registers people's security keys and signs them in: the WebAuthn client on top of CTAP
/// (WebAuthn sections 5.1.3 and 5.1.4, CTAP 2.2 section 6).
package struct SecurityKeyClient: Sendable {
    let source: any AuthenticatorSource
    let interaction: any SecurityKeyInteraction
    let random: any RandomSource
    let delay: any Delay
    /// Where ceremonies run: their steps and the waits between them then follow one another
    /// without a change of threads. Without one they run where tasks do.
    let thread: AuthenticatorThread?

    package init(
        source: any AuthenticatorSource, interaction: any SecurityKeyInteraction,
        random: any RandomSource, delay: any Delay = SystemDelay()
    ) {
        self.source = source
        self.interaction = interaction
        self.random = random
        self.delay = delay
        thread = try? AuthenticatorThread()
    }
}

extension SecurityKeyClient {
    /// Registers a key, from `PublicKeyCredentialCreationOptionsJSON`.
    package func register(
        json: JSONValue, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyRegistration {
        try await register(try RegistrationOptions(json: json), caller: caller)
    }

    /// Signs in, from `PublicKeyCredentialRequestOptionsJSON`.
    package func signIn(
        json: JSONValue, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyAssertion {
        try await signIn(try AssertionOptions(json: json), caller: caller)
    }
}
