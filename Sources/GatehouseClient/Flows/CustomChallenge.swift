// SPDX-License-Identifier: Apache-2.0

/// The operator's own service is to be told something by the person, or by the app for them.
///
/// Respond once. If the service requests another attempt, a new challenge contains its message in
/// ``payload``.
public final class CustomChallenge: Sendable {
    /// Which of the two steps it is.
    public enum Stage: Sendable, Hashable {
        /// Before the service has said anything. In ``RegistrationMethod/customTwoStep`` only.
        case start
        /// The input for the service's decision.
        case complete
    }

    /// The receiver of the response.
    public let identityProvider: CustomIdentityProvider
    /// See ``Stage-swift.enum``.
    public let stage: Stage
    /// The last message of the service: of the first step, or the reason of another attempt; `nil`
    /// if there is none.
    public let payload: CustomPayload?
    private let continuation: OneShotContinuation<String?>

    /// Bytes of ``respond(with:)``.
    private static let maximumDataLength = 8192

    init(
        _ identityProvider: CustomIdentityProvider, _ stage: Stage, _ payload: CustomPayload?,
        continuation: OneShotContinuation<String?>
    ) {
        self.identityProvider = identityProvider
        self.stage = stage
        self.payload = payload
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// Sends a response to the service.
    ///
    /// - Parameter data: At most 8,192 bytes of UTF-8; with `nil` the ceremony continues without
    ///   data.
    /// - Throws: ``IdentityError/Code/requestInvalid`` for more, upon which the challenge waits on,
    ///   and ``IdentityError/Code/challengeAlreadyAnswered``.
    public func respond(with data: String?) throws(IdentityError) {
        guard (data?.utf8.count ?? 0) <= Self.maximumDataLength else {
            throw IdentityError(
                .registration, .requestInvalid, "more than \(Self.maximumDataLength) bytes of data")
        }
        try continuation.respond(data, in: .registration)
    }

    /// Cancels: the person is not registered, and a service that expects the second step is
    /// notified.
    public func cancel() { continuation.abandon() }
}
