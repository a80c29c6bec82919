// SPDX-License-Identifier: Apache-2.0

/// An approval that is being answered. Its steps are ``ApprovalStep``. Nothing is answered before
/// its end; cancelling it leaves the request waiting.
public typealias ApprovalFlow = CeremonyFlow<ApprovalStep, ApprovalOutcome>

/// A step of an approval that the app must handle.
public enum ApprovalStep: Sendable {
    /// Show what is asked, and have the person say yes or no.
    case confirm(ApprovalChallenge)
    /// The person said yes, and shows that it is them: their PIN.
    case enterPIN(PINChallenge)
    /// Biometrics, after an approval.
    case authenticator(AuthenticatorChallenge)

    init(_ step: AuthenticationStep) {
        switch step {
        case .enterPIN(let challenge): self = .enterPIN(challenge)
        case .authenticator(let challenge): self = .authenticator(challenge)
        }
    }
}

/// The person's decision, which the provider has accepted.
public enum ApprovalOutcome: Sendable, Hashable {
    /// Yes.
    case approved
    /// No.
    case denied
}

/// The person is to say yes or no. Answer once.
public final class ApprovalChallenge: Sendable {
    /// The request to display.
    public let request: ApprovalRequest
    private let continuation: OneShotContinuation<Bool>

    init(_ request: ApprovalRequest, continuation: OneShotContinuation<Bool>) {
        self.request = request
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// Yes. The PIN comes next, where there is one.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func approve() throws(IdentityError) { try continuation.respond(true, in: .approvals) }

    /// Denies the request. The client that sent it is notified.
    ///
    /// - Throws: ``IdentityError/Code/challengeAlreadyAnswered``.
    public func deny() throws(IdentityError) { try continuation.respond(false, in: .approvals) }

    /// Cancels without a response. The request stays pending.
    public func cancel() { continuation.abandon() }
}
