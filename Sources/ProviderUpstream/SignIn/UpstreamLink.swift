// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import ProviderPeople
import Storage

/// Links an account of an upstream provider to a signed-in person as a further credential. It
/// requires a fresh factor of this provider. Therefore neither a person at an unattended browser
/// nor another upstream provider can give access to the account.
package struct UpstreamLink: CredentialRegistrationCeremony {
    private let arrival: UpstreamCallback
    private let signedIn: AuthenticatedSession?

    package init(_ arrival: UpstreamCallback, signedIn: AuthenticatedSession?) {
        self.arrival = arrival
        self.signedIn = signedIn
    }

    package var action: String { "credential.federated.added" }

    package struct Evidence: Sendable {
        let vouched: VerifiedUpstreamIdentity
        let signedIn: AuthenticatedSession
    }

    package func consume(
        _ message: Void, _ context: CeremonyContext
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        try await arrival.vouched(context)
    }

    /// The transaction belongs to the person and the session that began it.
    package func prove(
        _ vouched: VerifiedUpstreamIdentity, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        guard case .link(let person, let session) = vouched.attempt.purpose else {
            return .refused(.ceremonyExpired, because: "an attempt to sign in")
        }
        guard !ClaimMapping(vouched.provider.settings).isInactive(in: vouched.claims) else {
            return .refused(
                .upstreamDenied, because: "the provider reports the person as inactive",
                person: person)
        }
        guard let signedIn, signedIn.person.id == person, signedIn.session.id == session else {
            return .refused(.signInNeeded, because: "started by another person", person: person)
        }
        return .success(Evidence(vouched: vouched, signedIn: signedIn))
    }

    package func decide(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        // The transaction began at most ten minutes ago.
        guard evidence.signedIn.hasFreshLocalFactor(at: evidence.vouched.attempt.begunAt) else {
            return CeremonyRefusal(
                UserFacingRefusal.localFactorNeeded.refusal(because: "no fresh local factor"),
                person: evidence.signedIn.person.id)
        }
        return nil
    }

    package func commit(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        let person = evidence.signedIn.person
        var link = evidence.vouched.link(of: person.id, in: context)
        let approvals = AwaitedApprovals(context)
        link.awaitsApproval = try await approvals.isNeeded(
            for: link, in: evidence.signedIn.session)
        guard try await context.store.credentials.add(link) else {
            return .refused(.upstreamTaken, because: "linked already", person: person.id)
        }
        try await approvals.announce(link, of: person)
        return .success(
            RegistrationBinding(
                person: person, credential: link, factor: evidence.vouched.factor(with: link),
                notice: .providerLinked(label: link.label)))
    }
}
