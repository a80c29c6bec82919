// SPDX-License-Identifier: Apache-2.0

/// The person is to enter their PIN.
public final class PINChallenge: Sendable {
    /// The person.
    public let profile: Profile
    /// The attempts that are left after the last wrong PIN; `nil` before one.
    public let attempts: RemainingAttempts?
    private let continuation: OneShotContinuation<TypedPIN>

    init(
        profile: Profile, attempts: RemainingAttempts?, continuation: OneShotContinuation<TypedPIN>
    ) {
        self.profile = profile
        self.attempts = attempts
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// Enters that PIN. Whether it is right, only the provider knows.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with pin: consuming PIN) throws(IdentityError) {
        try continuation.respond(pin.typed, in: .authentication)
    }

    /// Cancels. It does not count as an attempt.
    public func cancel() { continuation.abandon() }
}
