// SPDX-License-Identifier: Apache-2.0

/// The person is about to be asked by an authenticator: a look, a touch, whatever it is. Say what
/// for; then it asks by itself.
public final class AuthenticatorChallenge: Sendable {
    enum Answer: Sendable {
        case prompt(String)
        case pin
    }

    /// Whose.
    public let profile: Profile
    /// Which one it is.
    public let authenticator: Authenticator
    /// Whether ``fallBackToPIN()`` leads anywhere.
    public let offersPIN: Bool
    private let slot: OneShotContinuation<Answer>

    init(
        _ profile: Profile, _ authenticator: Authenticator, offersPIN: Bool,
        slot: OneShotContinuation<Answer>
    ) {
        self.profile = profile
        self.authenticator = authenticator
        self.offersPIN = offersPIN
        self.slot = slot
    }

    deinit { slot.abandon() }

    /// Has the authenticator ask.
    ///
    /// - Parameter prompt: What the person reads meanwhile: "Sign in to Notes".
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(prompt: String) throws(IdentityError) {
        try slot.give(.prompt(prompt), in: .authentication)
    }

    /// Has the PIN asked for instead.
    ///
    /// - Throws: ``IdentityError/Code/pinNotSet`` where there is none, upon which the challenge
    ///   waits on, and ``IdentityError/Code/challengeAlreadyAnswered``.
    public func fallBackToPIN() throws(IdentityError) {
        guard offersPIN else {
            throw IdentityError(.authentication, .pinNotSet, "there is no PIN to fall back to")
        }
        try slot.give(.pin, in: .authentication)
    }

    /// Gives up.
    public func cancel() { slot.abandon() }
}
