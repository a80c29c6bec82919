// SPDX-License-Identifier: Apache-2.0

/// The operator's own service is to be told something by the person, or by the app for them.
///
/// Answer once. When the service asks to try again, the challenge comes anew with its word in
/// ``payload``.
public final class CustomChallenge: Sendable {
    /// Which of the two steps it is.
    public enum Stage: Sendable, Hashable {
        /// Before the service has said anything. In ``RegistrationMethod/customTwoStep`` only.
        case start
        /// What the service makes its decision of.
        case complete
    }

    /// Whom it is about to be said to.
    public let identityProvider: CustomIdentityProvider
    /// See ``Stage-swift.enum``.
    public let stage: Stage
    /// What the service has said last: of the first step, or why it asks again; `nil` when it has
    /// said nothing yet.
    public let payload: CustomPayload?
    private let slot: OneShotContinuation<String?>

    /// Bytes of ``respond(with:)``.
    private static let longestData = 8192

    init(
        _ identityProvider: CustomIdentityProvider, _ stage: Stage, _ payload: CustomPayload?,
        slot: OneShotContinuation<String?>
    ) {
        self.identityProvider = identityProvider
        self.stage = stage
        self.payload = payload
        self.slot = slot
    }

    deinit { slot.abandon() }

    /// Says that to the service.
    ///
    /// - Parameter data: At most 8,192 bytes of UTF-8; `nil` says nothing, and goes on.
    /// - Throws: ``IdentityError/Code/requestInvalid`` for more, upon which the challenge waits on,
    ///   and ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with data: String?) throws(IdentityError) {
        guard (data?.utf8.count ?? 0) <= Self.longestData else {
            throw IdentityError(
                .registration, .requestInvalid, "more than \(Self.longestData) bytes of data")
        }
        try slot.give(data, in: .registration)
    }

    /// Gives up: nobody is registered, and a service that waits for the second step is told.
    public func cancel() { slot.abandon() }
}
