// SPDX-License-Identifier: Apache-2.0

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
