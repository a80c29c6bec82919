// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
import Synchronization

/// The one place where audit events are written.
///
/// ``record(_:)`` returns when the event is durable. Events that arrive while a write is under way
/// share the next one, so a busy server pays one write for many events. Issuing to machines
/// (client credentials) is counted instead: one event each minute, client and outcome, written
/// when the minute is over or the server stops.
package actor AuditTrail {
    private let store: any AuditStore
    private let random: any RandomSource
    private var waiting: [AuditEvent] = []
    private var waiters: [CheckedContinuation<Void, any Error>] = []
    private var isWriting = false
    private let counted = CountedEvents()
    private nonisolated let observer = Mutex<(any CeremonyObserver)?>(nil)

    package init(store: any AuditStore, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Says who counts what is recorded from now on.
    package nonisolated func setObserver(_ observer: any CeremonyObserver) {
        self.observer.withLock { $0 = observer }
    }

    /// Writes the event and returns when it is durable.
    package func record(_ draft: AuditDraft) async throws {
        observe(draft)
        waiting.append(event(from: draft))
        try await withCheckedThrowingContinuation { continuation in
            waiters.append(continuation)
            if !isWriting {
                isWriting = true
                Task { await self.writeWaiting() }
            }
        }
    }

    /// Counts the event into its minute. Finished minutes are written in passing.
    package nonisolated func count(_ draft: AuditDraft) async {
        observe(draft)
        if counted.add(draft, event: { event(from: $0, count: 0) }) { await write(all: false) }
    }

    /// Writes everything counted so far: when the server stops.
    package nonisolated func flush() async { await write(all: true) }

    private nonisolated func write(all: Bool) async {
        let finished = counted.take(all: all)
        guard !finished.isEmpty else { return }
        do {
            try await store.append(finished)
        } catch {
            // Nothing is lost: they are written with the next minute.
            counted.putBack(finished)
        }
    }

    private nonisolated func observe(_ draft: AuditDraft) {
        observer.withLock { $0 }?.observe(action: draft.action, outcome: draft.outcome)
    }

    private func writeWaiting() async {
        while !waiting.isEmpty {
            let events = waiting
            let callers = waiters
            waiting = []
            waiters = []
            do {
                try await store.append(events)
                for caller in callers { caller.resume() }
            } catch {
                for caller in callers { caller.resume(throwing: error) }
            }
        }
        isWriting = false
    }

    private nonisolated func event(from draft: AuditDraft, count: Int64 = 1) -> AuditEvent {
        AuditEvent(
            id: Identifier(now: draft.facts.now, random: random), project: draft.project,
            at: draft.facts.now, action: draft.action,
            outcome: draft.outcome, code: draft.code,
            person: draft.person, clientID: draft.clientID, address: draft.facts.address,
            requestID: draft.facts.requestID, details: draft.details, count: count)
    }
}

/// What a ceremony says of itself when it is over.
package struct AuditDraft: Sendable {
    package var project: Identifier<Project>
    /// Stable words with dots: `sign-in.passkey`, `token.refresh`, `credential.removed`.
    package var action: String
    /// The refusal's code; `nil` when the ceremony was accepted.
    package var code: String?
    package var person: Identifier<Person>?
    package var clientID: String?
    /// JSON. Never a secret.
    package var details: String
    package var facts: RequestFacts

    package var outcome: AuditEvent.Outcome { code == nil ? .accepted : .refused }

    package init(
        _ action: String, in project: Identifier<Project>, facts: RequestFacts,
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
