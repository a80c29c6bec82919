// SPDX-License-Identifier: Apache-2.0
import Logging
package import Primitives
package import Storage

/// What every ceremony with a person stands in: the provider, the project, the request.
package struct CeremonyContext: Sendable {
    package let provider: Provider
    package let tenant: Tenant
    package let facts: RequestFacts
    package let limits: AttemptLimits
    package let writer: any NoticeWriter

    package init(
        provider: Provider, tenant: Tenant, facts: RequestFacts,
        limits: AttemptLimits = AttemptLimits(), writer: any NoticeWriter
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

    func newIdentifier<Record>() -> Identifier<Record> {
        Identifier(now: now, random: provider.random)
    }

    /// The one place where a ceremony's audit event is written, accepted or refused.
    func settle<Value>(
        _ action: String, _ outcome: Result<Value, Declined>,
        person: (Value) -> Identifier<Person>?
    ) async throws -> Result<Value, Refusal> {
        switch outcome {
        case .success(let value):
            try await provider.audit.record(
                AuditDraft(action, in: project, facts: facts, person: person(value)))
            return .success(value)
        case .failure(let declined):
            try await provider.audit.record(
                AuditDraft(
                    action, in: project, facts: facts, code: declined.refusal.code,
                    person: declined.person))
            provider.log.info(
                "ceremony refused",
                metadata: [
                    "action": "\(action)", "code": "\(declined.refusal.code)",
                    "reason": "\(declined.refusal.reason)", "request_id": "\(facts.requestID)",
                ])
            return .failure(declined.refusal)
        }
    }
}

/// A refusal, and whom it concerns when that is known. The person is for the audit trail only.
package struct Declined: Error, Sendable {
    package var refusal: Refusal
    package var person: Identifier<Person>?

    package init(_ refusal: Refusal, person: Identifier<Person>? = nil) {
        self.refusal = refusal
        self.person = person
    }
}

extension Result {
    /// The next phase, when this one went well.
    func continued<Next>(
        _ next: (Success) async throws -> Result<Next, Failure>
    ) async throws -> Result<Next, Failure> {
        switch self {
        case .success(let value): try await next(value)
        case .failure(let failure): .failure(failure)
        }
    }
}
