// SPDX-License-Identifier: Apache-2.0

/// An approval that is being answered. Its steps are ``ApprovalStep``. Nothing is answered before
/// its end; cancelling it leaves the request waiting.
public typealias ApprovalFlow = CeremonyFlow<ApprovalStep, ApprovalOutcome>

/// One thing that an approval asks of the app.
public enum ApprovalStep: Sendable {
    /// Show what is asked, and have the person say yes or no.
    case confirm(ApprovalChallenge)
    /// The person said yes, and shows that it is them: their PIN.
    case enterPIN(PINChallenge)
    /// The same by biometrics.
    case authenticator(AuthenticatorChallenge)

    init(_ step: AuthenticationStep) {
        switch step {
        case .enterPIN(let challenge): self = .enterPIN(challenge)
        case .authenticator(let challenge): self = .authenticator(challenge)
        }
    }
}

/// What the person has said, and the provider has taken.
public enum ApprovalOutcome: Sendable, Hashable {
    /// Yes.
    case approved
    /// No.
    case denied
}

/// The person is to say yes or no. Answer once.
public final class ApprovalChallenge: Sendable {
    /// What is asked.
    public let request: ApprovalRequest
    private let slot: OneShotContinuation<Bool>

    init(_ request: ApprovalRequest, slot: OneShotContinuation<Bool>) {
        self.request = request
        self.slot = slot
    }

    deinit { slot.abandon() }

    /// Yes. The PIN comes next, where there is one.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func approve() throws(IdentityError) { try slot.give(true, in: .approvals) }

    /// No. Whoever asks is told.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func deny() throws(IdentityError) { try slot.give(false, in: .approvals) }

    /// Says nothing: the request waits on.
    public func cancel() { slot.abandon() }
}
