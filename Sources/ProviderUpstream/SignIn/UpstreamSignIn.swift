// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
package import Storage

/// A sign-in with an upstream provider. The account is found only by a credential that was linked
/// before, never by an email address or a username.
package struct UpstreamSignIn: SignInCeremony {
    private let arrival: UpstreamCallback
    package let replacing: Session?

    package init(_ arrival: UpstreamCallback, replacing: Session?) {
        self.arrival = arrival
        self.replacing = replacing
    }

    package var action: String { "sign-in.federated" }

    package func consume(
        _ message: Void, _ context: CeremonyContext
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        try await arrival.vouched(context).flatMap { vouched in
            // A transaction of another purpose is refused.
            guard vouched.attempt.purpose == .signIn else {
                return .refused(.ceremonyExpired, because: "an attempt to link")
            }
            return .success(vouched)
        }
    }

    package func prove(
        _ vouched: VerifiedUpstreamIdentity, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        let link = try await context.store.credentials.credential(
            externalID: vouched.externalID, kind: .federatedIdentity, in: context.project)
        let isInactive = ClaimMapping(vouched.provider.settings).isInactive(in: vouched.claims)
        guard let link else {
            guard !isInactive else {
                return .refused(
                    .upstreamDenied, because: "the provider reports the person as inactive")
            }
            return try await newcomer(vouched, context)
        }
        guard let found = try await context.store.people.person(link.person) else {
            return .refused(.upstreamUnknown, because: "the person does not exist")
        }
        let refresh = UpstreamClaimsUpdate(vouched: vouched, context: context)
        if isInactive { return .failure(try await refresh.turnedAway(found)) }
        let person = try await refresh.applied(to: found)
        try await context.store.credentials.noteUse(of: link.id, now: context.now)
        var proven = VerifiedPerson(person: person, factor: vouched.factor(with: link))
        proven.upstreamHint = vouched.hint(of: person)
        proven.upstreamSession = vouched.session
        return .success(proven)
    }

    /// Registers a person without a linked credential, if the project allows it.
    private func newcomer(
        _ vouched: VerifiedUpstreamIdentity, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        guard vouched.provider.settings.createsPeople else {
            return .refused(.upstreamUnknown, because: "no person is linked")
        }
        switch try await CeremonyRunner(context).run(UpstreamRegistration(vouched)) {
        case .success(let binding):
            var proven = VerifiedPerson(person: binding.person, factor: binding.factor)
            proven.upstreamHint = vouched.hint(of: binding.person)
            proven.upstreamSession = vouched.session
            return .success(proven)
        case .failure(let refusal): return .failure(CeremonyRefusal(refusal))
        }
    }
}
