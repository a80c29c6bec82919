// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// What an upstream provider says of its own people when they come again.
///
/// Only people whom it has brought here are changed: whoever merely connected an account of its
/// keeps what they say of themselves.
struct UpstreamClaimsUpdate: Sendable {
    let vouched: VerifiedUpstreamIdentity
    let context: CeremonyContext

    /// The person as they are from now on.
    func applied(to person: Person) async throws -> Person {
        guard vouched.provider.settings.refreshesClaims, person.realm == vouched.realm else {
            return person
        }
        let (mapping, claims) = (ClaimMapping(vouched.provider.settings), vouched.claims)
        var changed = person
        mapping.refresh(&changed.claims, with: claims)
        let isTaken = try await isTaken(changed)
        if isTaken { changed.claims.emailVerified = false }
        guard changed.claims != person.claims else { return person }
        let refreshed = try await context.store.change(ofOneself: person.id, now: context.now) {
            mapping.refresh(&$0, with: claims)
            if isTaken { $0.emailVerified = false }
        }
        // A person who was disabled or removed at the same time stays so.
        return refreshed.record ?? person
    }

    /// Whether somebody else here has that mailbox already. Two owners would leave it to neither.
    private func isTaken(_ person: Person) async throws -> Bool {
        guard let email = person.claims.email, person.claims.emailVerified == true else {
            return false
        }
        let owner = try await context.store.person(verifiedEmail: email, in: context.project)
        return owner.map { $0.id != person.id } ?? false
    }

    /// The provider no longer knows them: what rests on its word ends, and they do not get in.
    func turnedAway(_ person: Person) async throws -> CeremonyRefusal {
        if person.realm == vouched.realm {
            try await context.store.endEverything(of: person.id, now: context.now)
        }
        return CeremonyRefusal(
            UserFacingRefusal.upstreamDenied.refusal(
                because: "the provider says they are inactive"),
            person: person.id)
    }
}
