// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
package import Storage

/// The hooks of one way to register something. The pipeline owns the order: challenge →
/// evidence → policy → binding. A kind of evidence is one file that fills the hooks.
package protocol CredentialRegistrationCeremony: Sendable {
    associatedtype Answer: Sendable
    associatedtype Evidence: Sendable
    /// The audit action: `registration.passkey`, `credential.passkey.added`.
    var action: String { get }
    /// 1. Takes what was asked: consumes the challenge, or counts the request.
    func challenge(_ context: CeremonyContext) async throws -> Result<Answer, CeremonyRefusal>
    /// 2. What is to be trusted, verified.
    func evidence(
        _ answer: Answer, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal>
    /// 3. Whether the project and the person's state allow it; `nil` when they do.
    func policy(_ evidence: Evidence, _ context: CeremonyContext) async throws -> CeremonyRefusal?
    /// 4. Stores it, atomically.
    func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal>
}

/// What is trusted from now on.
package struct RegistrationBinding: Sendable {
    package let person: Person
    package let credential: Credential?
    /// How the person has just shown themselves.
    package let factor: AuthenticationFactor
    /// What the person is told by mail, if anything.
    let notice: AccountNotification.Kind?
    /// The app installation that was registered, when it was one.
    package var installation: Installation?
    /// Whether the binding's verb has written the audit event.
    var recording = EventRecording.due
    /// What the installation is told of its PIN, when it registers with one.
    var pin: PINResponse?
    /// What the installation is told besides.
    var told: [JSONObject.Member] = []
}

/// Registers credentials, of new people and of known ones.
package struct RegistrationPipeline: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    package func run<Steps: CredentialRegistrationCeremony>(
        _ steps: Steps
    ) async throws -> Result<RegistrationBinding, Refusal> {
        let outcome = try await steps.challenge(context)
            .continued { try await steps.evidence($0, context) }
            .continued { evidence -> Result<Steps.Evidence, CeremonyRefusal> in
                let declined = try await steps.policy(evidence, context)
                return declined.map { .failure($0) } ?? .success(evidence)
            }
            .continued { try await steps.bind($0, context) }
        let settled = try await context.settle(
            steps.action, outcome, recording: \.recording, person: \.person.id)
        if case .success(let binding) = settled, let notice = binding.notice {
            Mailer(context: context).send(notice, to: binding.person)
        }
        return settled
    }
}
