// SPDX-License-Identifier: Apache-2.0

/// The result of a sign-out or removal. The local part is complete in both cases.
public enum RemovalOutcome: Sendable {
    /// The provider has confirmed it.
    case complete
    /// The provider was not notified, for this reason.
    case localOnly(IdentityError)

    /// Whether the provider has confirmed it.
    public var isComplete: Bool { if case .complete = self { true } else { false } }

    /// Runs the provider's part. An error there is a result and is not thrown.
    ///
    /// - Parameter domain: With `nil` the provider is not notified.
    init(
        notifyingIn domain: IdentityError.Domain?, _ body: () async throws -> Void
    ) async {
        guard let domain else {
            self = .complete
            return
        }
        do {
            try await body()
            self = .complete
        } catch {
            self = .localOnly(IdentityError(surfacing: error, in: domain))
        }
    }
}
