// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// A sign-in method. Each method is one file that consumes the challenge and proves the person. The
/// policy and the start of the session are the same for all methods.
package protocol SignInCeremony: CeremonyPhases
where Call == CeremonyContext, Proof == VerifiedPerson, Change == CompletedSignIn {
    /// The current session of the browser, which ends, so that the secret changes. If it is the
    /// same person's, its factors are carried over with their times.
    var replacing: Session? { get }
}

/// A person with a verified factor. Only proofs create it.
package struct VerifiedPerson: Sendable {
    package let person: Person
    /// The verified factor.
    package let factor: AuthenticationFactor
    /// The hint for a sign-out at the upstream provider.
    package var upstreamHint: UpstreamLogoutHint?
    /// The session identifier of the upstream provider.
    package var upstreamSession: [UInt8]?

    package init(person: Person, factor: AuthenticationFactor) {
        self.person = person
        self.factor = factor
    }
}

/// A finished sign-in with the new cookie.
package struct CompletedSignIn: CeremonyChange {
    package let signedIn: AuthenticatedSession
    /// The secret of the session for the cookie. It is not stored.
    package let cookie: String
    /// The hint for a sign-out at the upstream provider, for another cookie.
    package var upstreamHint: UpstreamLogoutHint?

    package var event: CeremonyEvent { CeremonyEvent(person: signedIn.person.id) }
}

extension SignInCeremony {
    /// The refusal of a disabled person equals that of an unknown one.
    package func decide(
        _ proven: VerifiedPerson, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        let invalid = UserFacingRefusal.invalidCredentials
        guard proven.person.project == context.project else {
            return CeremonyRefusal(invalid.refusal(because: "the person is of another project"))
        }
        guard !proven.person.disabled else {
            return CeremonyRefusal(
                invalid.refusal(because: "the person is disabled"), person: proven.person.id)
        }
        return nil
    }

    /// Starts the session.
    package func commit(
        _ proven: VerifiedPerson, _ context: CeremonyContext
    ) async throws -> Result<CompletedSignIn, CeremonyRefusal> {
        let started: (AuthenticatedSession, cookieValue: String)
        do {
            started = try await SessionService(provider: context.provider).start(
                person: proven.person, factor: proven.factor, tenant: context.tenant,
                facts: context.facts, replacing: replacing, restsOn: proven.upstreamSession)
        } catch let error as StorageError where error.code == .missingParent {
            return .refused(
                .invalidCredentials, because: "the person or the credential is not valid any more",
                person: proven.person.id)
        }
        return .success(
            CompletedSignIn(
                signedIn: started.0, cookie: started.cookieValue,
                upstreamHint: proven.upstreamHint))
    }
}
