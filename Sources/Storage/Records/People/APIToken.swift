// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An API token of a program for the Admin API: one role in one project, with an expiry.
///
/// It belongs to the project and has an owner, the person who created or received it. Its rights
/// never exceed the owner's current rights. It is unusable if the owner is deleted.
package struct APIToken: Sendable, Equatable {
    package var id: Identifier<APIToken>
    package var project: Identifier<Project>
    /// Keyed hash of the token.
    package var hash: [UInt8]
    /// The purpose of the token.
    package var name: String
    package var role: Administrator.Role
    /// The owner; `nil` for the operator, with whose token it was created.
    package var maker: Identifier<Person>?
    /// The owner's username at the time of creation, which remains after the owner's deletion.
    package var makerName: String
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?
    /// To the minute.
    package var lastUsedAt: Timestamp?

    package init(
        id: Identifier<APIToken>, project: Identifier<Project>, hash: [UInt8], name: String,
        role: Administrator.Role, maker: Identifier<Person>?, makerName: String,
        createdAt: Timestamp, expiresAt: Timestamp, revokedAt: Timestamp? = nil,
        lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.project = project
        self.hash = hash
        self.name = name
        self.role = role
        self.maker = maker
        self.makerName = makerName
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    /// The time for which an expired or revoked token is still listed.
    package static let remembered = TimeSpan.days(30)
    /// The precision of the time of last use.
    package static let useGrain = TimeSpan.minutes(1)

    package func isGood(at now: Timestamp) -> Bool { state(at: now) == .active }

    package enum State: String, Sendable {
        case active, expired, revoked
    }

    package func state(at now: Timestamp) -> State {
        if revokedAt != nil { return .revoked }
        return expiresAt <= now ? .expired : .active
    }
}
