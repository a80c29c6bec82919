// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Support

/// Something that people, apps or administrators do, request by request.
struct Ceremony: Sendable {
    /// Does it once, as far as it goes: every call by ``persist(_:)``. Then `house.door.disarm()`,
    /// and looks at what came of it.
    typealias Act = @Sendable () async throws -> Void
    /// Prepares one more act, by a provider that lives.
    typealias Stage = @Sendable () async throws -> Act

    let name: String
    /// When its provider dies, at each of its requests.
    var moments: [DyingDoor.Moment] = [.before, .after]
    /// What all of its acts have in common.
    let stage: @Sendable (MortalHouse) async throws -> Stage
}

/// A call that is made once more when nobody has answered: that is what apps, browsers and people do.
///
/// - Parameter call: Is told whether it is made again, and then may be refused for that.
func persist<Value>(_ call: (_ again: Bool) async throws -> Value) async throws -> Value {
    do {
        return try await call(false)
    } catch  where isLoss(error) {
        return try await call(true)
    }
}

/// Whether nobody has answered.
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
