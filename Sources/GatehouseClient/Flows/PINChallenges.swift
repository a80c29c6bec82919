// SPDX-License-Identifier: Apache-2.0

/// The person is to choose a PIN.
///
/// Answer once. A PIN that the policy refuses is not taken: ``respond(with:)`` throws and the
/// challenge waits on.
public final class CreatePINChallenge: Sendable {
    /// What the project asks of it.
    public let policy: PINPolicy
    private let slot: OneShotContinuation<TypedPIN>

    init(policy: PINPolicy, slot: OneShotContinuation<TypedPIN>) {
        self.policy = policy
        self.slot = slot
    }

    deinit { slot.abandon() }

    /// Chooses that PIN.
    ///
    /// - Throws: ``IdentityError`` of the domain `pinValidation` when the policy refuses it, and
    ///   ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with pin: consuming PIN) throws(IdentityError) {
        let typed = pin.typed
        try policy.validate(typed)
        try slot.give(typed, in: .pinValidation)
    }

    /// Gives up: nothing is registered or changed.
    public func cancel() { slot.abandon() }
}

/// The person is to enter their PIN.
public final class PINChallenge: Sendable {
    /// Whose.
    public let profile: Profile
    /// What the provider said is left after the last wrong one; `nil` until there was one.
    public let attempts: RemainingAttempts?
    private let slot: OneShotContinuation<TypedPIN>

    init(profile: Profile, attempts: RemainingAttempts?, slot: OneShotContinuation<TypedPIN>) {
        self.profile = profile
        self.attempts = attempts
        self.slot = slot
    }

    deinit { slot.abandon() }

    /// Enters that PIN. Whether it is right, only the provider knows.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with pin: consuming PIN) throws(IdentityError) {
        try slot.give(pin.typed, in: .authentication)
    }

    /// Gives up. Nothing is counted.
    public func cancel() { slot.abandon() }
}
