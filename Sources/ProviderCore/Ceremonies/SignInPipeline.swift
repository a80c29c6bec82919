// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// The phases of a sign-in method. The pipeline runs them in order: challenge → proof → policy →
/// session. Each method is one file that implements its phases, and cannot skip one.
package protocol SignInCeremony: Sendable {
    associatedtype ChallengeResult: Sendable
    /// The audit action: `sign-in.password`.
    var action: String { get }
    /// 1. Consumes the challenge, or counts the attempt.
    func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<ChallengeResult, CeremonyRefusal>
    /// 2. Verifies the proof.
    func proof(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal>
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
package struct CompletedSignIn: Sendable {
    package let signedIn: AuthenticatedSession
    /// The secret of the session for the cookie. It is not stored.
    package let cookie: String
    /// The hint for a sign-out at the upstream provider, for another cookie.
    package var upstreamHint: UpstreamLogoutHint?
}

/// Runs a sign-in ceremony. All sign-in methods use this type.
package struct SignInPipeline: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// - Parameter replacing: the current session of the browser, which ends, so that the secret
    ///   changes. If it is the same person's, its factors are carried over with their times.
    package func run(
        _ steps: some SignInCeremony, replacing: Session?
    ) async throws -> Result<CompletedSignIn, Refusal> {
        let outcome = try await steps.challenge(context)
            .continued { try await steps.proof($0, context) }
            .continued { policy($0) }
            .continued { try await session($0, replacing: replacing) }
        return try await context.finish(steps.action, outcome) { $0.signedIn.person.id }
    }

    // 3. The policy of the project. The refusal of a disabled person equals that of an unknown one.
    private func policy(_ proven: VerifiedPerson) -> Result<VerifiedPerson, CeremonyRefusal> {
        guard proven.person.project == context.project else {
            return .refused(.invalidCredentials, because: "the person is of another project")
        }
        guard !proven.person.disabled else {
            return .refused(
                .invalidCredentials, because: "the person is disabled", person: proven.person.id)
        }
        return .success(proven)
    }

    // 4. The session is created only now.
    private func session(
        _ proven: VerifiedPerson, replacing: Session?
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
