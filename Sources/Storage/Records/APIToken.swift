// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A token of the Admin API for a program: one role, in one project, for a while.
///
/// It belongs to the project. Somebody answers for it: who made it, or whom it was handed to. It may
/// never more than they may at that moment, and nothing once they are gone.
package struct APIToken: Sendable, Equatable {
    package var id: Identifier<APIToken>
    package var project: Identifier<Project>
    /// Keyed hash of the token.
    package var hash: [UInt8]
    /// What it is for.
    package var name: String
    package var role: Administrator.Role
    /// Who answers for it; `nil` for the operator, with whose own token it was made.
    package var maker: Identifier<Person>?
    /// Their user name at that time, which outlives them.
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

    /// How long an ended one is still listed, so that whoever wonders finds it.
    package static let remembered = TimeSpan.days(30)
    /// How exactly its last use is kept.
    package static let useGrain = TimeSpan.minutes(1)

    package func isGood(at now: Timestamp) -> Bool { revokedAt == nil && now < expiresAt }
}
