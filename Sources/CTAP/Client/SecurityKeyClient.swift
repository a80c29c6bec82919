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
    /// The thread of the ceremonies, which also waits for keys, so that a ceremony changes no
    /// threads. If it is `nil`, ceremonies run on the default executor.
    let thread: AuthenticatorThread?

    /// - Parameters:
    ///   - delay: How time passes; `nil` for the machine's own clock.
    ///   - thread: Where the keys of `source` are waited for; `nil` for the thread of all clients.
    package init(
        source: any AuthenticatorSource, interaction: any SecurityKeyInteraction,
        random: any RandomSource, delay: (any Delay)? = nil, thread: AuthenticatorThread? = nil
    ) {
        self.source = source
        self.interaction = interaction
        self.random = random
        let thread = thread ?? (try? AuthenticatorThread.ofClients())
        self.thread = thread
        self.delay = delay ?? SystemDelay(on: thread)
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
