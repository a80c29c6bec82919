// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import Storage

/// Verifies that the person of a new grant is still active. Between their authorization and the
/// request of the client, they may have been disabled or deleted or have signed out, or their
/// upstream provider may have been disabled.
///
/// Existing grants need no such check: disabling and signing out revoke them in the same
/// transaction.
struct PersonStatusCheck: Sendable {
    let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    func reasonToRefuse(_ entitlement: inout TokenIssuance) async throws -> Refusal? {
        guard let grant = entitlement.grant else { return .invalidGrant("no grant") }
        let store = call.provider.store
        let person = try await store.people.person(grant.person)
        guard let person, !person.disabled, person.project == call.tenant.project.id else {
            try await store.grants.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("the person is disabled or deleted")
        }
        entitlement.person = person
        if grant.isFederated, try await !store.upstreamProviders.isVouchedFor(grant.person) {
            try await store.grants.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("the upstream provider of the person is disabled or unlinked")
        }
        if let session = grant.session,
            try await store.sessions.session(session, now: call.facts.now) == nil
        {
            try await store.grants.revoke(grant: grant.id, now: call.facts.now)
            return .invalidGrant("the person has signed out")
        }
        return nil
    }
}
