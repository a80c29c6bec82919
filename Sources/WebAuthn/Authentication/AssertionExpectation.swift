// SPDX-License-Identifier: Apache-2.0

/// The relying party's record of the issued request options, and its requirements.
package struct AssertionExpectation: Sendable {
    /// The handling of a signature counter that did not increase (step 7.2.22). That indicates a
    /// cloned authenticator but does not prove it.
    package enum SignCountPolicy: String, Sendable, CaseIterable {
        case refuse
        /// Accept, and report it in ``VerifiedAssertion/signCountOutcome``.
        case report
    }

    /// The issued challenge, which the caller has consumed.
    package var challenge: [UInt8]
    package var userVerification: UserVerificationRequirement
    /// The credential ids of `allowCredentials`; empty when the person chose.
    package var allowCredentials: [[UInt8]]
    /// Whether the person is known only by this assertion, so that it must carry a user handle
    /// (step 7.2.6).
    package var requiresUserHandle: Bool
    /// The user handle of the person who was identified before the ceremony (step 7.2.6). The
    /// credential must belong to this person. `nil` if no person was identified.
    package var owner: [UInt8]?
    package var signCountPolicy: SignCountPolicy
    /// Whether credential keys of RS1 can sign in (step 7.2.21): if such keys can be registered.
    package var acceptsRS1: Bool
    /// The extensions that the options requested.
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
