// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the results of single-use links, in the transaction that consumes the link.
///
/// `link` is the challenge as it was read. The outcome is ``LinkRedemptionOutcome/linkGone`` if it was
/// consumed, replaced or changed since, or is expired. Any other refusal leaves the link unchanged.
package protocol OneTimeLinkStore: Sendable {
    /// Inserts a person with their first credentials, and with a role if there is one. Also consumes
    /// the links with the purpose and the payload of `link`, and
    /// `use`, as ``PersonStore/create(_:with:using:nameMayBeHeld:)`` does.
    func create(
        _ person: Person, with credentials: [Credential], as administrator: Administrator?,
        spending link: Challenge, using use: OneTimeUse?, now: Timestamp,
        recording events: [AuditEvent]
    ) async throws -> LinkRedemptionOutcome
    /// Adds a credential to a person.
    func add(
        _ credential: Credential, spending link: Challenge, now: Timestamp
    ) async throws -> LinkRedemptionOutcome
    /// Issues `link`, which replaces an earlier one of that hash, and saves the expiry of the
    /// invitation. Returns `false` if the person is disabled or deleted, or has a credential or an
    /// app.
    func invite(_ person: Identifier<Person>, by link: Challenge) async throws -> Bool
    /// Withdraws an invitation, even an expired one. Returns `false` if there is none.
    func withdrawInvitation(
        of person: Identifier<Person>, hash: [UInt8], in project: Identifier<Project>
    ) async throws -> Bool
    /// Inserts the first credential of an invited person, which completes the invitation. `address`
    /// becomes verified if it is the person's and no other person has verified it. The outcome is
    /// also ``LinkRedemptionOutcome/linkGone`` if the person is disabled or has a credential.
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
