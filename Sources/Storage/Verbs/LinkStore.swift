// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What comes of a link that is good for one use, in the very step that uses it up: whoever holds
/// it loses it to nothing but what they wanted.
///
/// `link` is the challenge as it was seen. One that was used, replaced or amended since, or is over,
/// is ``SpendOutcome/linkGone``; whatever else is refused leaves it as it was.
package protocol LinkStore: Sendable {
    /// Makes a person with their first credentials, and with their role when they have one. Uses up
    /// `use` as well, as ``PersonStore/create(_:with:using:)`` does.
    func create(
        _ person: Person, with credentials: [Credential], as administrator: Administrator?,
        spending link: Challenge, using use: SingleUse?, now: Timestamp,
        recording events: [AuditEvent]
    ) async throws -> SpendOutcome
    /// Adds a credential to somebody.
    func add(
        _ credential: Credential, spending link: Challenge, now: Timestamp
    ) async throws -> SpendOutcome
}

package enum SpendOutcome: Error, Sendable, Equatable {
    case spent
    case linkGone
    case usernameTaken
    /// A credential with the same external identifier exists in the project.
    case credentialTaken
}
