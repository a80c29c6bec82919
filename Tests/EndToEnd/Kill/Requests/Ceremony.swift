// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Support

/// A series of requests of a person, an app or an administrator.
struct Ceremony: Sendable {
    /// Performs it once, with every call by ``persist(_:)``. Then disarms the proxy and checks the
    /// result.
    typealias Act = @Sendable () async throws -> Void
    /// Prepares one more run, with a running provider.
    typealias Stage = @Sendable () async throws -> Act

    let name: String
    /// When its provider dies, at each of its requests.
    var moments: [DyingDoor.Moment] = [.before, .after]
    /// What all of its acts have in common.
    let stage: @Sendable (MortalHouse) async throws -> Stage
}

/// Repeats a call without a response, as apps, browsers and people do.
///
/// - Parameter call: Receives whether it is a repetition, which may be refused for that.
func persist<Value>(_ call: (_ again: Bool) async throws -> Value) async throws -> Value {
    do {
        return try await call(false)
    } catch  where isLoss(error) {
        return try await call(true)
    }
}

/// Whether there was no response.
private func isLoss(_ error: any Error) -> Bool {
    if error is Connection.Failure { return true }
    guard let code = (error as? IdentityError)?.code else { return false }
    return [.notReachable, .providerUnavailable].contains(code)
}

extension RemovalOutcome {
    /// - Throws: Why the provider does not know.
    func completed() throws {
        if case .localOnly(let error) = self { throw error }
    }
}
