// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// Approvals of credentials of administrators. A credential that was added after a recovery, or in
/// a session with less assurance than the account had, gives no access to the console until another
/// administrator has approved it.
package struct AwaitedApprovals: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Whether a credential that is added in this session needs approval. It does if the person is
    /// an administrator and the session does not prove as much as they can (``ConsoleProof``). A
    /// project's requirement of a key does not apply to a new password, because it only replaces
    /// the earlier one.
    ///
    /// - Parameter session: `nil` for a request of an app, which proves nothing to the console.
    package func isNeeded(for credential: Credential, in session: Session?) async throws -> Bool {
        let (store, person) = (context.store, credential.person)
        guard try await !store.administrators.administration(of: person).isEmpty else {
            return false
        }
        guard let session else { return true }
        let needsKey =
            credential.kind != .password && context.tenant.project.administratorsNeedKey
        return try await !ConsoleProof(session, store.credentials.credentials(of: person))
            .isWhole(needsKey: needsKey)
    }

    /// Records the pending approval in the audit log and notifies the person.
    package func announce(_ credential: Credential, of person: Person) async throws {
        guard credential.awaitsApproval else { return }
        let details: JSONValue = ["kind": .string(credential.kind.rawValue)]
        try await context.provider.audit.record(
            AuditEventDraft(
                "console.approval.awaited", in: context.project, facts: context.facts,
                person: person.id, details: details.text))
        Mailer(context: context).send(.approvalAwaited, to: person)
    }

    /// Whether the remaining credentials of an administrator need approval after a key was removed
    /// in this session. They do if the session does not prove the key, so that a weaker credential
    /// does not give access to the console in its place. The closure receives all credentials
    /// before the removal.
    ///
    /// - Parameter session: `nil` for a request of an app, which proves nothing to the console.
    package static func othersWait(
        afterRemovalIn session: Session?
    ) -> @Sendable ([Credential]) -> Bool {
        { credentials in
            session.map { !ConsoleProof($0, credentials).isWhole(needsKey: false) } ?? true
        }
    }

    /// Approves the pending credentials, if they are exactly those that the administrator has seen.
    ///
    /// - Parameters:
    ///   - shown: the credentials that the administrator has seen.
    ///   - administrator: The approving person, who must not be `person`; `nil` for the operator.
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
            try await $0.credentials.approveCredentials(shown, of: person.id)
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
