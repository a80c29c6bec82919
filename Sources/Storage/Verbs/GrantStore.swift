// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of authorization codes, device authorizations, grants and their refresh token families.
package protocol GrantStore: Sendable {
    func save(_ code: AuthorizationCode) async throws
    /// Returns the code as issued, in any state; `nil` if unknown. Consumes nothing.
    func code(hash: [UInt8]) async throws -> AuthorizationCode?
    /// Consumes the code and inserts its grant (with `generation`: 1 if a refresh token will be
    /// issued, otherwise 0), in one transaction. Exactly one caller receives `redeemed`.
    func redeemCode(
        hash: [UInt8], generation: Int64, now: Timestamp
    ) async throws -> RedeemOutcome

    func grant(_ id: Identifier<Grant>) async throws -> Grant?
    /// Returns the grant and its person, in one read.
    func grantWithPerson(_ id: Identifier<Grant>) async throws -> (Grant, Person)?
    /// Moves the family from `generation` to the next. See ``RotateOutcome``. `event`, with the
    /// grant's person in it, is written in the same step exactly when the outcome is `rotated`.
    ///
    /// - Parameter grace: of the token that is presented: one family may have tokens of both kinds.
    func rotateRefreshToken(
        grant: Identifier<Grant>, generation: Int64, idleLifetime: TimeSpan, grace: TimeSpan,
        now: Timestamp, recording event: AuditEvent?
    ) async throws -> RotateOutcome
    /// Returns active grants of a person, newest first.
    func grants(of person: Identifier<Person>, now: Timestamp) async throws -> [Grant]
    func revoke(grant: Identifier<Grant>, now: Timestamp) async throws

    /// Saves the authorization within the limits. Returns `false` if the client or the project has
    /// the maximum number of unexpired ones. Concurrent writes may exceed the limits slightly.
    func save(
        _ authorization: DeviceAuthorization, within limits: OpenAuthorizations, now: Timestamp
    ) async throws -> Bool
    /// Returns the active, undecided authorization with that user code, of an enabled client of the
    /// project. A wrong code is counted in each budget in the same transaction, so that concurrent
    /// guesses are compared only within the budgets. A right code is not counted.
    func deviceAuthorization(
        userCodeHash: [UInt8], of project: Identifier<Project>, within budgets: [AttemptBudget],
        window: TimeSpan, now: Timestamp
    ) async throws -> UserCodeOutcome
    /// Approves with `grant`, or denies with `nil`. Returns `false` if it is decided or expired.
    func decideDeviceAuthorization(
        userCodeHash: [UInt8], grant: Grant?, now: Timestamp
    ) async throws -> Bool
    /// Records one poll of the device. Exactly one poll redeems an approval and inserts the grant.
    func pollDeviceAuthorization(
        deviceCodeHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> DevicePollOutcome
}

/// The result of a comparison with the user codes of device authorizations.
package enum UserCodeOutcome: Error, Sendable, Equatable {
    case found(DeviceAuthorization)
    case wrong
    /// Too many wrong codes: this code was not compared.
    case limited(until: Timestamp)
}

/// The maximum numbers of pending device authorizations.
package struct OpenAuthorizations: Sendable, Equatable {
    package let ofClient: Int
    package let ofProject: Int

    package init(ofClient: Int, ofProject: Int) {
        self.ofClient = ofClient
        self.ofProject = ofProject
    }
}

package enum RedeemOutcome: Sendable, Equatable {
    case redeemed(Grant)
    /// The code was used before: its grant was revoked in the same transaction.
    case reused(Identifier<Grant>)
    case expired
    case unknown
}

package enum RotateOutcome: Sendable, Equatable {
    /// This caller rotated the family; the grant contains the new generation.
    case rotated(Grant)
    /// The presented generation is the previous one, and its rotation is within the grace period:
    /// the caller gets the same successor (the grant's generation) again.
    case replayed(Grant)
    /// An older generation was presented: the grant was revoked in the same transaction.
    case reused
    /// The grant is expired, revoked, unknown, or was idle for too long.
    case unknown
}

package enum DevicePollOutcome: Sendable, Equatable {
    case pending
    /// The device polled too early; the interval was increased by five seconds.
    case slowDown
    case denied
    case approved(Grant)
    case expired
    case unknown
}
