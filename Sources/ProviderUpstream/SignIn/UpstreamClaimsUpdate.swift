// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import ProviderPeople
import Storage

/// Updates the claims of a person at a sign-in with an upstream provider.
///
/// It changes only people whose account the provider created. A person who linked an account of the
/// provider manages their claims themselves.
struct UpstreamClaimsUpdate: Sendable {
    let vouched: VerifiedUpstreamIdentity
    let context: CeremonyContext

    /// Returns the updated person.
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
        let refreshed = try await context.store.people.change(
            ofOneself: person.id, now: context.now
        ) {
            mapping.refresh(&$0, with: claims)
            if isTaken { $0.emailVerified = false }
        }
        // A person who was disabled or deleted concurrently is not changed.
        return refreshed.record ?? person
    }

    /// Whether another person has the verified address already. An address with two owners would
    /// identify neither.
    private func isTaken(_ person: Person) async throws -> Bool {
        guard let email = person.claims.email, person.claims.emailVerified == true else {
            return false
        }
        let owner = try await context.store.people.person(verifiedEmail: email, in: context.project)
        return owner.map { $0.id != person.id } ?? false
    }

    /// Refuses a person who is inactive at the provider. If the provider created the account,
    /// revokes the sessions and grants of the person.
    func turnedAway(_ person: Person) async throws -> CeremonyRefusal {
        if person.realm == vouched.realm {
            try await context.store.sessions.endEverything(of: person.id, now: context.now)
        }
        return CeremonyRefusal(
            UserFacingRefusal.upstreamDenied.refusal(
                because: "the provider reports the person as inactive"),
            person: person.id)
    }
}
