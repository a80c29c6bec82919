// SPDX-License-Identifier: Apache-2.0

/// What a relying party remembers of the options that it gave out, and what it demands.
package struct AssertionExpectation: Sendable {
    /// What to do when the counter of an authenticator did not rise (step 7.2.22), which is a
    /// sign, not a proof, that it was cloned.
    package enum SignCountPolicy: String, Sendable, CaseIterable {
        case refuse
        /// Accept, and say so in ``VerifiedAssertion/signCountOutcome``.
        case report
    }

    /// The challenge that was given out, and that has been consumed by now.
    package var challenge: [UInt8]
    package var userVerification: UserVerificationRequirement
    /// The credential ids of `allowCredentials`; empty when the person chose.
    package var allowCredentials: [[UInt8]]
    /// Whether the person is known only by this assertion, so that it must carry a user handle
    /// (step 7.2.6).
    package var requiresUserHandle: Bool
    /// The user handle of whoever was named before the ceremony (step 7.2.6): then the credential
    /// must be this person's. `nil` when nobody was named.
    package var owner: [UInt8]?
    package var signCountPolicy: SignCountPolicy
    /// Whether credential keys of RS1 sign in (step 7.2.21): where such keys can be registered.
    package var acceptsRS1: Bool
    /// What the options asked for beside the assertion.
    package var extensions: AuthenticationExtensions
    package var extensionPolicy: ExtensionPolicy

    package init(
        challenge: [UInt8], userVerification: UserVerificationRequirement,
        allowCredentials: [[UInt8]] = [], requiresUserHandle: Bool = false,
        owner: [UInt8]? = nil, signCountPolicy: SignCountPolicy = .refuse,
        acceptsRS1: Bool = false,
        extensions: AuthenticationExtensions = AuthenticationExtensions(),
        extensionPolicy: ExtensionPolicy = ExtensionPolicy()
    ) {
        self.challenge = challenge
        self.userVerification = userVerification
        self.allowCredentials = allowCredentials
        self.requiresUserHandle = requiresUserHandle
        self.owner = owner
        self.signCountPolicy = signCountPolicy
        self.acceptsRS1 = acceptsRS1
        self.extensions = extensions
        self.extensionPolicy = extensionPolicy
    }
}
