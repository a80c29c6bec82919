// SPDX-License-Identifier: Apache-2.0
import Logging
package import Primitives
package import Storage

/// Runs ceremonies. It alone chains the phases of ``CeremonyPhases`` and records their end: one
/// audit event, then the notification.
///
/// Inlinable, so that a module has it specialized for its ceremonies.
package struct CeremonyRunner: Sendable {
    @usableFromInline let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    @inlinable
    package func run<Phases: CeremonyPhases>(
        _ ceremony: Phases
    ) async throws -> Result<Phases.Response, Refusal> {
        switch try await ceremony.identify(context) {
        case .success(let call): try await run(ceremony, call)
        case .failure(let declined): .failure(try await refuse(declined, ceremony, by: context))
        }
    }

    @inlinable
    func run<Phases: CeremonyPhases>(
        _ ceremony: Phases, _ call: Phases.Call
    ) async throws -> Result<Phases.Response, Refusal> {
        let outcome = try await ceremony.verify(call)
            .continued { try await ceremony.consume($0, call) }
            .continued { try await ceremony.prove($0, call) }
            .continued { proof -> Result<Phases.Change, CeremonyRefusal> in
                if let declined = try await ceremony.decide(proof, call) {
                    return .failure(declined)
                }
                return try await ceremony.commit(proof, call)
            }
        switch outcome {
        case .success(let change):
            let response = try await ceremony.respond(change, call)
            try await call.record(change, of: ceremony.action)
            return .success(response)
        case .failure(let declined):
            return .failure(try await refuse(declined, ceremony, by: call))
        }
    }

    @usableFromInline
    func refuse(
        _ declined: CeremonyRefusal, _ ceremony: some CeremonyPhases, by call: some CeremonyCall
    ) async throws -> Refusal {
        try await call.refuse(declined, ceremony.action, isLogged: ceremony.logsRefusals)
    }
}

/// A request with its sender.
package protocol CeremonyCall: Sendable {
    var context: CeremonyContext { get }
    /// The audit event for the result, with the client or device that sent the request.
    func draft(
        _ action: String, refusal: Refusal?, person: Identifier<Person>?
    ) -> AuditEventDraft
}

extension CeremonyCall {
    /// Records the end of a ceremony that runs its phases itself.
    package func finish<Change: CeremonyChange>(
        _ action: String, _ outcome: Result<Change, CeremonyRefusal>
    ) async throws -> Result<Change, Refusal> {
        switch outcome {
        case .success(let change):
            try await record(change, of: action)
            return .success(change)
        case .failure(let declined): return .failure(try await refuse(declined, action))
        }
    }

    /// Records a refusal for which no ceremony was started, such as a malformed message.
    package func refuse(
        _ declined: CeremonyRefusal, _ action: String, isLogged: Bool = true
    ) async throws -> Refusal {
        var draft = draft(action, refusal: declined.refusal, person: declined.person)
        if let clientID = declined.clientID { draft.clientID = clientID }
        try await context.provider.audit.record(draft, declined.recording)
        if isLogged { context.log(declined.refusal, of: action) }
        return declined.refusal
    }

    /// Records the event, then sends the notification.
    @usableFromInline
    func record(_ change: some CeremonyChange, of action: String) async throws {
        let event = change.event
        var draft = draft(action, refusal: nil, person: event.person)
        if let clientID = event.clientID { draft.clientID = clientID }
        if let details = event.details { draft.details = details }
        try await context.provider.audit.record(draft, event.recording)
        if let (kind, person) = change.notification {
            Mailer(context: context).send(kind, to: person)
        }
    }
}

extension CeremonyContext: CeremonyCall {
    package var context: CeremonyContext { self }

    package func draft(
        _ action: String, refusal: Refusal?, person: Identifier<Person>?
    ) -> AuditEventDraft {
        AuditEventDraft(
            action, in: project, facts: facts, code: refusal?.code, person: person,
            details: refusal?.auditText ?? "{}")
    }

    /// Records the end of a ceremony that has only one phase, such as a change of an account.
    ///
    /// - Parameters:
    ///   - details: further details of the event of a success, as a JSON object.
    ///   - notification: the notification about a success.
    package func finish<Value: Sendable>(
        _ action: String, _ outcome: Result<Value, CeremonyRefusal>,
        details: (Value) -> String? = { _ in nil },
        notification: (Value) -> CeremonyNotification? = { _ in nil },
        person: (Value) -> Identifier<Person>?
    ) async throws -> Result<Value, Refusal> {
        let change = outcome.map { value in
            RecordedValue(
                value: value,
                event: CeremonyEvent(person: person(value), details: details(value)),
                notification: notification(value))
        }
        return try await finish(action, change).map(\.value)
    }

    /// Logs the private reason of a refusal.
    fileprivate func log(_ refusal: Refusal, of action: String) {
        provider.log.info(
            "ceremony refused",
            metadata: [
                "action": "\(action)", "code": "\(refusal.code)",
                "reason": "\(refusal.reason)", "request_id": "\(facts.requestID)",
            ])
    }
}

private struct RecordedValue<Value: Sendable>: CeremonyChange {
    let value: Value
    let event: CeremonyEvent
    let notification: CeremonyNotification?
}

extension Result {
    /// Runs the next phase if this one succeeded.
    @inlinable
    package func continued<Next>(
        _ next: (Success) async throws -> Result<Next, Failure>
    ) async throws -> Result<Next, Failure> {
        switch self {
        case .success(let value): try await next(value)
        case .failure(let failure): .failure(failure)
        }
    }
}
