// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What comes of a link that is good for one use, in the very step that uses it up: whoever holds
/// it loses it to nothing but what they wanted.
///
/// `link` is the challenge as it was seen. One that was used, replaced or amended since, or is over,
/// is ``LinkRedemptionOutcome/linkGone``; whatever else is refused leaves it as it was.
package protocol OneTimeLinkStore: Sendable {
    /// Makes a person with their first credentials, and with their role when they have one. Uses up
    /// `use` as well, as ``PersonStore/create(_:with:using:nameMayBeHeld:)`` does.
    func create(
        _ person: Person, with credentials: [Credential], as administrator: Administrator?,
        spending link: Challenge, using use: OneTimeUse?, now: Timestamp,
        recording events: [AuditEvent]
    ) async throws -> LinkRedemptionOutcome
    /// Adds a credential to somebody.
    func add(
        _ credential: Credential, spending link: Challenge, now: Timestamp
    ) async throws -> LinkRedemptionOutcome
    /// Issues `link`, which replaces an earlier one of that hash, and notes until when the person is
    /// invited. `false` when they are disabled or gone, or have a credential
    /// or an app.
    func invite(_ person: Identifier<Person>, by link: Challenge) async throws -> Bool
    /// Withdraws an invitation, expired ones too. `false` if there is none.
    func withdrawInvitation(
        of person: Identifier<Person>, hash: [UInt8], in project: Identifier<Project>
    ) async throws -> Bool
    /// Gives somebody who was invited their first credential. They are not invited any more, and
    /// `address` is verified if it is theirs and nobody else has verified it.
    /// ``LinkRedemptionOutcome/linkGone`` as well when they are disabled, or have a credential by now.
    func accept(
        _ link: Challenge, with credential: Credential, confirming address: String?,
        now: Timestamp
    ) async throws -> LinkRedemptionOutcome
}

package enum LinkRedemptionOutcome: Error, Sendable, Equatable {
    case spent
    case linkGone
    case usernameTaken
    /// A credential with the same external identifier exists in the project.
    case credentialTaken
}
