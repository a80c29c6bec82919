// SPDX-License-Identifier: Apache-2.0
import Storage

/// Whether the person who gave a fresh grant may still be let in: between their "yes" and the
/// client's request they may have been disabled, removed, or have signed out, or
/// the provider that vouched for them was disabled.
///
/// Grants that exist already need no such look: disabling and signing out revoke them in the same
/// step in the store.
struct PersonStatusCheck: Sendable {
    let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    func reasonToRefuse(_ entitlement: inout TokenIssuance) async throws -> Refusal? {
        guard let grant = entitlement.grant else { return .invalidGrant("nobody's grant") }
        let store = call.provider.store
        let person = try await store.person(grant.person)
        guard let person, !person.disabled, person.project == call.tenant.project.id else {
            try await store.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("the person is disabled or gone")
        }
        entitlement.person = person
        if grant.isFederated, try await !store.isVouchedFor(grant.person) {
            try await store.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("nobody vouches for the person any more")
        }
        if let session = grant.session,
            try await store.session(session, now: call.facts.now) == nil
        {
            try await store.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("the person has signed out")
        }
        return nil
    }
}
