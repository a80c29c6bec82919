// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PIN
package import Storage

/// The phases of a registration of a credential. The pipeline runs them in order: challenge →
/// evidence → policy → binding. Each kind of evidence is one file that implements them.
package protocol CredentialRegistrationCeremony: Sendable {
    associatedtype ChallengeResult: Sendable
    associatedtype Evidence: Sendable
    /// The audit action: `registration.passkey`, `credential.passkey.added`.
    var action: String { get }
    /// 1. Consumes the challenge, or counts the request.
    func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<ChallengeResult, CeremonyRefusal>
    /// 2. Verifies the evidence.
    func evidence(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal>
    /// 3. Applies the policy of the project and the state of the person. Returns `nil` if they
    ///   allow it.
    func policy(_ evidence: Evidence, _ context: CeremonyContext) async throws -> CeremonyRefusal?
    /// 4. Stores the result atomically.
    func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal>
}

/// The result of a registration.
package struct RegistrationBinding: Sendable {
    package let person: Person
    package let credential: Credential?
    /// The authentication factor of the registration.
    package let factor: AuthenticationFactor
    /// The notification to the person, or `nil`.
    package let notice: AccountNotification.Kind?
    /// The app installation that was registered, or `nil`.
    package var installation: Installation?
    /// Whether the store operation of the binding has written the audit event.
    package var recording = EventRecording.due
    /// The response for the PIN, if the installation registers with one.
    package var pin: PINResponse?
    /// Additional members of the response to the installation.
    package var responseMembers: [JSONObject.Member] = []

    package init(
        person: Person, credential: Credential?, factor: AuthenticationFactor,
        notice: AccountNotification.Kind?, installation: Installation? = nil,
        recording: EventRecording = EventRecording.due, pin: PINResponse? = nil,
        responseMembers: [JSONObject.Member] = []
    ) {
        self.person = person
        self.credential = credential
        self.factor = factor
        self.notice = notice
        self.installation = installation
        self.recording = recording
        self.pin = pin
        self.responseMembers = responseMembers
    }
}

/// Registers credentials of new and existing people.
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
        let settled = try await context.finish(
            steps.action, outcome, recording: \.recording, person: \.person.id)
        if case .success(let binding) = settled, let notice = binding.notice {
            Mailer(context: context).send(notice, to: binding.person)
        }
        return settled
    }
}
