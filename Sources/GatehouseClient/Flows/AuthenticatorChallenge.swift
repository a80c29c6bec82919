// SPDX-License-Identifier: Apache-2.0

/// The person is about to be asked by an authenticator: a look, a touch, whatever it is. Say what
/// for; then it asks by itself.
public final class AuthenticatorChallenge: Sendable {
    enum Response: Sendable {
        case prompt(String)
        case pin
    }

    /// The person.
    public let profile: Profile
    /// Which one it is.
    public let authenticator: Authenticator
    /// Whether ``fallBackToPIN()`` leads anywhere.
    public let offersPIN: Bool
    private let continuation: OneShotContinuation<Response>

    init(
        _ profile: Profile, _ authenticator: Authenticator, offersPIN: Bool,
        continuation: OneShotContinuation<Response>
    ) {
        self.profile = profile
        self.authenticator = authenticator
        self.offersPIN = offersPIN
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// Starts the authenticator.
    ///
    /// - Parameter prompt: The text for the person: "Sign in to Notes".
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(prompt: String) throws(IdentityError) {
        try continuation.respond(.prompt(prompt), in: .authentication)
    }

    /// Requests the PIN instead.
    ///
    /// - Throws: ``IdentityError/Code/pinNotSet`` where there is none, upon which the challenge
    ///   waits on, and ``IdentityError/Code/challengeAlreadyAnswered``.
    public func fallBackToPIN() throws(IdentityError) {
        guard offersPIN else {
            throw IdentityError(.authentication, .pinNotSet, "the profile has no PIN")
        }
        try continuation.respond(.pin, in: .authentication)
    }

    /// Cancels.
    public func cancel() { continuation.abandon() }
}
