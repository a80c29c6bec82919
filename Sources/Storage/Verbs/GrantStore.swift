// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where authorization codes, device authorizations, grants and their refresh families are kept.
package protocol GrantStore: Sendable {
    func save(_ code: AuthorizationCode) async throws
    /// The code as issued, used or not, living or not; `nil` when unknown. Consumes nothing.
    func code(hash: [UInt8]) async throws -> AuthorizationCode?
    /// Uses the code and makes its grant (with `generation`: 1 when a refresh token will be
    /// issued, else 0), in one step. Exactly one caller is told `redeemed`.
    func redeemCode(
        hash: [UInt8], generation: Int64, now: Timestamp
    ) async throws -> RedeemOutcome

    func grant(_ id: Identifier<Grant>) async throws -> Grant?
    /// The grant and whose it is, in one read.
    func grantWithPerson(_ id: Identifier<Grant>) async throws -> (Grant, Person)?
    /// Moves the family from `generation` to the next. See ``RotateOutcome``. `event`, with the
    /// grant's person in it, is written in the same step exactly when the outcome is `rotated`.
    ///
    /// - Parameter grace: of the token that is presented: one family may have tokens of both kinds.
    func rotateRefreshToken(
        grant: Identifier<Grant>, generation: Int64, idleLifetime: TimeSpan, grace: TimeSpan,
        now: Timestamp, recording event: AuditEvent?
    ) async throws -> RotateOutcome
    /// Living grants of a person, newest first.
    func grants(of person: Identifier<Person>, now: Timestamp) async throws -> [Grant]
    func revoke(grant: Identifier<Grant>, now: Timestamp) async throws

    /// Saves the authorization while there is room. `false` when the client or the project has as
    /// many as it may have that are not over; under parallel writes a few more.
    func save(
        _ authorization: DeviceAuthorization, within limits: OpenAuthorizations, now: Timestamp
    ) async throws -> Bool
    /// The active, undecided authorization with that user code, of an enabled client of the project.
    /// A wrong code is counted in each budget, in the same step: of many at the same moment no more
    /// are compared than the budgets allow. A right code is not counted.
    func deviceAuthorization(
        userCodeHash: [UInt8], of project: Identifier<Project>, within budgets: [AttemptBudget],
        window: TimeSpan, now: Timestamp
    ) async throws -> UserCodeOutcome
    /// Approves with `grant`, or denies with `nil`. `false` when it was decided before or is over.
    func decideDeviceAuthorization(
        userCodeHash: [UInt8], grant: Grant?, now: Timestamp
    ) async throws -> Bool
    /// One poll of the device. Approval is redeemed by exactly one poll, which makes the grant.
    func pollDeviceAuthorization(
        deviceCodeHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> DevicePollOutcome
}

package enum UserCodeOutcome: Error, Sendable, Equatable {
    case found(DeviceAuthorization)
    case wrong
    /// Too many wrong codes: this code was not compared.
    case limited(until: Timestamp)
}

/// How many device authorizations may be open at once.
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
    /// It had been used before: its grant has been revoked in the same step.
    case reused(Identifier<Grant>)
    case expired
    case unknown
}

package enum RotateOutcome: Sendable, Equatable {
    /// This caller moved the family; the grant holds the new generation.
    case rotated(Grant)
    /// The presented generation is the last but one and its rotation is younger than the grace:
    /// the caller gets the same successor (the grant's generation) once more.
    case replayed(Grant)
    /// An older generation was presented: the grant has been revoked in the same step.
    case reused
    /// Over, revoked, never there, or idle for too long.
    case unknown
}

package enum DevicePollOutcome: Sendable, Equatable {
    case pending
    /// Polled too early; the interval has grown by five seconds.
    case slowDown
    case denied
    case approved(Grant)
    case expired
    case unknown
}
