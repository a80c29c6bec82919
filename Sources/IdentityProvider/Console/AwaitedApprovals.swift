// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// What came to an administrator's account after a recovery, or with less than the account had before,
/// opens no console until another administrator has approved it.
package struct AwaitedApprovals: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Whether a credential that is added in that session waits. A new password is worth what the
    /// password before it was; everything else can show a key.
    ///
    /// - Parameter session: `nil` when an app's token speaks for the person, which proves nothing here.
    func isNeeded(for credential: Credential, in session: Session?) async throws -> Bool {
        let (store, person) = (context.store, credential.person)
        guard try await !store.administration(of: person).isEmpty else { return false }
        guard let session else { return true }
        let needsKey =
            credential.kind != .password && context.tenant.project.administratorsNeedKey
        return try await !ConsoleProof(session, store.credentials(of: person))
            .isWhole(needsKey: needsKey)
    }

    /// Says so, in the trail and to the person.
    func announce(_ credential: Credential, of person: Person) async throws {
        guard credential.awaitsApproval else { return }
        let details: JSONValue = ["kind": .string(credential.kind.rawValue)]
        try await context.provider.audit.record(
            AuditEventDraft(
                "console.approval.awaited", in: context.project, facts: context.facts,
                person: person.id, details: details.text))
        Mailer(context: context).send(.approvalAwaited, to: person)
    }

    /// Whether an administrator's other credentials wait once a key is removed in that session, of
    /// all credentials as they were before: where the session shows no key, nothing less is to open
    /// the console in its place.
    ///
    /// - Parameter session: `nil` when an app's token speaks for the person, which proves nothing here.
    static func othersWait(
        afterRemovalIn session: Session?
    ) -> @Sendable ([Credential]) -> Bool {
        { credentials in
            session.map { !ConsoleProof($0, credentials).isWhole(needsKey: false) } ?? true
        }
    }

    /// Approves what waits, when it is exactly what the approver has seen.
    ///
    /// - Parameters:
    ///   - shown: what the approver has seen.
    ///   - administrator: The approving person, not `person`; `nil` for the operator.
    package func approve(
        _ shown: Set<Identifier<Credential>>, of person: Person,
        by administrator: Identifier<Person>?
    ) async throws -> Result<Void, Refusal> {
        guard administrator != person.id else {
            return .failure(
                Refusal(
                    "own_approval", "Another administrator approves this, or the operator.",
                    reason: "own approval"))
        }
        let details: JSONValue = [
            "credentials": .array(shown.sorted().map { .string($0.description) })
        ]
        let draft = AuditEventDraft(
            "console.approval.given", in: context.project, facts: context.facts,
            person: person.id, details: details.text)
        let isApproved = try await context.provider.recorded(draft) {
            try await $0.approveCredentials(shown, of: person.id)
        }
        guard isApproved else {
            return .failure(
                Refusal(
                    "changed_since", "What waits for approval has changed. Nothing is approved.",
                    reason: "what waits is not what was shown"))
        }
        Mailer(context: context).send(.approvalGiven, to: person)
        return .success(())
    }
}
