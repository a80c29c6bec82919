// SPDX-License-Identifier: Apache-2.0

/// The person is to choose a PIN.
///
/// Answer once. A PIN that the policy refuses is not taken: ``respond(with:)`` throws and the
/// challenge waits on.
public final class CreatePINChallenge: Sendable {
    /// The project's policy for it.
    public let policy: PINPolicy
    private let continuation: OneShotContinuation<TypedPIN>

    init(policy: PINPolicy, continuation: OneShotContinuation<TypedPIN>) {
        self.policy = policy
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// Chooses that PIN.
    ///
    /// - Throws: ``IdentityError`` of the domain `pinValidation` when the policy refuses it, and
    ///   ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with pin: consuming PIN) throws(IdentityError) {
        let typed = pin.typed
        try policy.validate(typed)
        try continuation.respond(typed, in: .pinValidation)
    }

    /// Cancels: nothing is registered or changed.
    public func cancel() { continuation.abandon() }
}
