// SPDX-License-Identifier: Apache-2.0
import Logging
package import Primitives
package import Storage

/// The context of a ceremony with a person: the provider, the project and the request.
package struct CeremonyContext: Sendable {
    package let provider: Provider
    package let tenant: Tenant
    package let facts: RequestMetadata
    package let limits: AttemptLimits
    package let writer: any NotificationComposer

    package init(
        provider: Provider, tenant: Tenant, facts: RequestMetadata,
        limits: AttemptLimits = AttemptLimits(), writer: any NotificationComposer
    ) {
        self.provider = provider
        self.tenant = tenant
        self.facts = facts
        self.limits = limits
        self.writer = writer
    }

    package var store: any ProviderStore { provider.store }
    package var project: Identifier<Project> { tenant.project.id }
    package var now: Timestamp { facts.now }

    package func newIdentifier<Record>() -> Identifier<Record> {
        Identifier(now: now, random: provider.random)
    }

    /// Records the audit event of a ceremony, accepted or refused.
    ///
    /// - Parameters:
    ///   - recording: the state of the audit event of a success.
    ///   - details: further details of that event, as a JSON object.
    package func finish<Value>(
        _ action: String, _ outcome: Result<Value, CeremonyRefusal>,
        recording: (Value) -> EventRecording = { _ in .due },
        details: (Value) -> String = { _ in "{}" },
        person: (Value) -> Identifier<Person>?
    ) async throws -> Result<Value, Refusal> {
        switch outcome {
        case .success(let value):
            let draft = AuditEventDraft(
                action, in: project, facts: facts, person: person(value), details: details(value))
            switch recording(value) {
            case .due: try await provider.audit.record(draft)
            case .done: provider.audit.wasRecorded(draft)
            case .ofEarlierCeremony: break
            }
            return .success(value)
        case .failure(let declined):
            var draft = AuditEventDraft(
                action, in: project, facts: facts, code: declined.refusal.code,
                person: declined.person, clientID: declined.clientID)
            if let details = declined.refusal.auditText { draft.details = details }
            try await record(draft, of: declined)
            provider.log.info(
                "ceremony refused",
                metadata: [
                    "action": "\(action)", "code": "\(declined.refusal.code)",
                    "reason": "\(declined.refusal.reason)", "request_id": "\(facts.requestID)",
                ])
            return .failure(declined.refusal)
        }
    }

    /// Records a refusal, or aggregates it if unauthenticated senders can cause it without limit.
    package func record(_ draft: AuditEventDraft, of declined: CeremonyRefusal) async throws {
        if declined.isStranger {
            await provider.audit.count(draft)
        } else {
            try await provider.audit.record(draft)
        }
    }
}

/// The state of the audit event of an accepted ceremony.
package enum EventRecording: Sendable {
    case due
    /// The event was written in the transaction of the change.
    case done
    /// The request repeats an earlier ceremony, which has its event.
    case ofEarlierCeremony
}

/// A refusal, with the person that it concerns if known. The person is only for the audit log.
package struct CeremonyRefusal: Error, Sendable {
    package var refusal: Refusal
    package var person: Identifier<Person>?
    /// The client that it concerns, only for the audit log.
    var clientID: String?
    /// Whether the sender is unauthenticated. The audit log aggregates refusals of unauthenticated
    /// senders, because their number is unbounded.
    package var isStranger = false

    package init(
        _ refusal: Refusal, person: Identifier<Person>? = nil, clientID: String? = nil,
        isStranger: Bool = false
    ) {
        self.refusal = refusal
        self.person = person
        self.clientID = clientID
        self.isStranger = isStranger
    }
}

extension Result {
    /// Runs the next phase if this one succeeded.
    package func continued<Next>(
        _ next: (Success) async throws -> Result<Next, Failure>
    ) async throws -> Result<Next, Failure> {
        switch self {
        case .success(let value): try await next(value)
        case .failure(let failure): .failure(failure)
        }
    }
}
