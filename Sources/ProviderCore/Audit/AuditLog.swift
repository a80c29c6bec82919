// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
import Synchronization

/// The audit log. It creates all audit events. It writes them, except those that a store operation
/// writes in the transaction of its change.
///
/// ``record(_:)`` returns when the event is durable. Events that arrive during a write share the
/// next write, so a busy server does one write for many events. Token requests without a person
/// (client credentials) are aggregated: one event for each minute, client and outcome, written
/// after the minute ends or when the server stops.
package final class AuditLog: Sendable {
    private struct State {
        var waiting: [AuditEvent] = []
        var callers: [CheckedContinuation<Void, any Error>] = []
        var isWriting = false
    }

    private let store: any AuditStore
    private let random: any RandomSource
    private let state = Mutex(State())
    private let counted = AggregatedAuditEvents()
    private let observer = Mutex<(any CeremonyObserver)?>(nil)

    package init(store: any AuditStore, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Sets the observer that counts ceremonies.
    package func setObserver(_ observer: any CeremonyObserver) {
        self.observer.withLock { $0 = observer }
    }

    /// Writes the event and returns when it is durable.
    package func record(_ draft: AuditEventDraft) async throws {
        observe(draft)
        let event = event(from: draft)
        try await withCheckedThrowingContinuation { continuation in
            let mustWrite = state.withLock { state in
                state.waiting.append(event)
                state.callers.append(continuation)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if mustWrite { Task { await writeWaiting() } }
        }
    }

    /// Creates an event that a store operation writes in its transaction. After the operation has
    /// succeeded, the caller must call ``wasRecorded(_:)``.
    package func prepare(_ draft: AuditEventDraft) -> AuditEvent { event(from: draft) }

    /// Reports a ceremony to the observer after a store operation has written its event.
    package func wasRecorded(_ draft: AuditEventDraft) { observe(draft) }

    /// Counts the event in its minute. Writes the events of finished minutes.
    package func count(_ draft: AuditEventDraft) async {
        observe(draft)
        if counted.add(draft, event: { event(from: $0, count: 0) }) { await write(all: false) }
    }

    /// Records a refusal that an unauthenticated sender can cause. The first of each minute, client
    /// and code is written at once with its details, so that an operator can read it. The others
    /// are aggregated.
    package func note(_ draft: AuditEventDraft) async throws {
        if counted.isFirst(draft) { try await record(draft) } else { await count(draft) }
    }

    /// Records the event of a ceremony that has ended.
    package func record(_ draft: AuditEventDraft, _ recording: EventRecording) async throws {
        switch recording {
        case .due: try await record(draft)
        case .firstOfMinute: try await note(draft)
        case .counted: await count(draft)
        case .done: wasRecorded(draft)
        case .omitted: break
        }
    }

    /// Records the refusal of a change whose success has the event `draft`.
    package func refuse<Value>(
        _ draft: AuditEventDraft, with refusal: Refusal
    ) async throws -> Result<Value, Refusal> {
        var draft = draft
        draft.code = refusal.code
        try await record(draft)
        return .failure(refusal)
    }

    /// Writes all aggregated events. Called when the server stops.
    package func flush() async { await write(all: true) }

    private func write(all: Bool) async {
        let finished = counted.removeFinished(all: all)
        guard !finished.isEmpty else { return }
        do {
            try await store.append(finished)
        } catch {
            // The events are not lost: they are written with those of the next minute.
            counted.restore(finished)
        }
    }

    private func observe(_ draft: AuditEventDraft) {
        observer.withLock { $0 }?.observe(action: draft.action, outcome: draft.outcome)
    }

    private func writeWaiting() async {
        while let (events, callers) = removeWaiting() {
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await store.append(events))
            } catch {
                outcome = .failure(error)
            }
            for caller in callers { caller.resume(with: outcome) }
        }
    }

    /// Removes and returns all waiting events. Ends the writing state and returns `nil` if there
    /// are none.
    private func removeWaiting() -> ([AuditEvent], [CheckedContinuation<Void, any Error>])? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer {
                state.waiting = []
                state.callers = []
            }
            return (state.waiting, state.callers)
        }
    }

    private func event(from draft: AuditEventDraft, count: Int64 = 1) -> AuditEvent {
        AuditEvent(
            id: Identifier(now: draft.facts.now, random: random), project: draft.project,
            at: draft.facts.now, action: draft.action,
            outcome: draft.outcome, code: draft.code,
            person: draft.person, clientID: draft.clientID, address: draft.facts.address,
            requestID: draft.facts.requestID,
            details: AuditDetails.adding(draft.facts, to: draft.details),
            count: count)
    }
}

/// The data of an audit event that a ceremony reports when it has finished.
package struct AuditEventDraft: Sendable {
    package var project: Identifier<Project>
    /// Stable, separated by dots: `sign-in.passkey`, `token.refresh`, `credential.removed`.
    package var action: String
    /// The refusal's code; `nil` when the ceremony was accepted.
    package var code: String?
    package var person: Identifier<Person>?
    package var clientID: String?
    /// A JSON object. It must not contain a secret.
    package var details: String
    package var facts: RequestMetadata

    package var outcome: AuditEvent.Outcome { code == nil ? .accepted : .refused }

    package init(
        _ action: String, in project: Identifier<Project>, facts: RequestMetadata,
        code: String? = nil, person: Identifier<Person>? = nil, clientID: String? = nil,
        details: String = "{}"
    ) {
        self.action = action
        self.project = project
        self.facts = facts
        self.code = code
        self.person = person
        self.clientID = clientID
        self.details = details
    }
}
