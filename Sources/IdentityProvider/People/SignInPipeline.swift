// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// The hooks of one way to sign in. The pipeline owns the order: challenge → proof → policy →
/// session. A way in is one file that fills the hooks, and cannot skip a phase.
package protocol SignInCeremony: Sendable {
    associatedtype Answer: Sendable
    /// The audit action: `sign-in.password`.
    var action: String { get }
    /// 1. Takes what was asked: consumes the challenge, or counts the guess.
    func challenge(_ context: CeremonyContext) async throws -> Result<Answer, CeremonyRefusal>
    /// 2. Who answered, proven.
    func proof(
        _ answer: Answer, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal>
}

/// Somebody who has just shown who they are. Only proofs make it.
package struct VerifiedPerson: Sendable {
    package let person: Person
    /// How, and what that stands for.
    package let factor: AuthenticationFactor
    /// For signing out at the provider that vouched for them.
    var upstreamHint: UpstreamLogoutHint?
    /// What that provider calls its own session.
    var upstreamSession: [UInt8]?

    init(person: Person, factor: AuthenticationFactor) {
        self.person = person
        self.factor = factor
    }
}

/// A finished sign-in: who, and the new cookie.
package struct CompletedSignIn: Sendable {
    package let signedIn: AuthenticatedSession
    /// The session's secret, for the cookie. Not stored anywhere else.
    package let cookie: String
    /// By which signing out here reaches the provider that vouched; for another cookie.
    package var upstreamHint: UpstreamLogoutHint?
}

/// Signs people in. Every way in takes this way.
package struct SignInPipeline: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// - Parameter replacing: the browser's session so far, which ends: a new secret each time.
    ///   What the same person showed in it goes along, with its own time.
    package func run(
        _ steps: some SignInCeremony, replacing: Session?
    ) async throws -> Result<CompletedSignIn, Refusal> {
        let outcome = try await steps.challenge(context)
            .continued { try await steps.proof($0, context) }
            .continued { policy($0) }
            .continued { try await session($0, replacing: replacing) }
        return try await context.settle(steps.action, outcome) { $0.signedIn.person.id }
    }

    // 3. The project's rules. The answer to a disabled person is that to a stranger.
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

    // 4. Only now somebody is let in.
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
