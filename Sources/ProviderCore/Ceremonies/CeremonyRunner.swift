// SPDX-License-Identifier: Apache-2.0
import Logging
package import Primitives
package import Storage

/// Runs ceremonies. It alone chains the phases of ``CeremonyPhases`` and records their end: one
/// audit event, then the notification.
package struct CeremonyRunner: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    package func run<Phases: CeremonyPhases>(
        _ ceremony: Phases
    ) async throws -> Result<Phases.Answer, Refusal> {
        switch try await ceremony.identify(context) {
        case .success(let call): try await run(ceremony, call)
        case .failure(let declined): .failure(try await record(declined, of: ceremony, context))
        }
    }

    private func run<Phases: CeremonyPhases>(
        _ ceremony: Phases, _ call: Phases.Call
    ) async throws -> Result<Phases.Answer, Refusal> {
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
            let answer = try await ceremony.answer(change, call)
            try await call.record(change.event, of: ceremony.action)
            call.context.send(change.notification)
            return .success(answer)
        case .failure(let declined):
            return .failure(try await record(declined, of: ceremony, call))
        }
    }

    private func record(
        _ declined: CeremonyRefusal, of ceremony: some CeremonyPhases, _ call: some CeremonyCall
    ) async throws -> Refusal {
        try await call.record(declined, of: ceremony.action)
        if ceremony.logsRefusals { call.context.log(declined.refusal, of: ceremony.action) }
        return declined.refusal
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
    fileprivate func record(_ event: CeremonyEvent, of action: String) async throws {
        var draft = draft(action, refusal: nil, person: event.person)
        if let details = event.details { draft.details = details }
        try await context.provider.audit.finish(draft, event.recording)
    }

    fileprivate func record(_ declined: CeremonyRefusal, of action: String) async throws {
        var draft = draft(action, refusal: declined.refusal, person: declined.person)
        if let clientID = declined.clientID { draft.clientID = clientID }
        try await context.provider.audit.finish(draft, declined.recording)
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
    package func finish<Value>(
        _ action: String, _ outcome: Result<Value, CeremonyRefusal>,
        details: (Value) -> String? = { _ in nil },
        notification: (Value) -> CeremonyNotification? = { _ in nil },
        person: (Value) -> Identifier<Person>?
    ) async throws -> Result<Value, Refusal> {
        switch outcome {
        case .success(let value):
            let event = CeremonyEvent(person: person(value), details: details(value))
            try await record(event, of: action)
            send(notification(value))
            return .success(value)
        case .failure(let declined):
            return .failure(try await refuse(declined, action))
        }
    }

    /// Records a refusal for which no ceremony was started, such as a malformed message.
    package func refuse(_ declined: CeremonyRefusal, _ action: String) async throws -> Refusal {
        try await record(declined, of: action)
        log(declined.refusal, of: action)
        return declined.refusal
    }

    /// Records a refusal, or aggregates it if unauthenticated senders can cause it without limit.
    package func record(_ draft: AuditEventDraft, of declined: CeremonyRefusal) async throws {
        try await provider.audit.finish(draft, declined.recording)
    }

    fileprivate func send(_ notification: CeremonyNotification?) {
        guard let notification else { return }
        Mailer(context: self).send(notification.kind, to: notification.person)
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

extension AuditLog {
    fileprivate func finish(_ draft: AuditEventDraft, _ recording: EventRecording) async throws {
        switch recording {
        case .due: try await record(draft)
        case .firstOfMinute: try await note(draft)
        case .counted: await count(draft)
        case .done: wasRecorded(draft)
        case .omitted: break
        }
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
