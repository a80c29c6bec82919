// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Synchronization

/// Events of machines, one for each minute, action, client and outcome, with how often it came.
///
/// Counting takes a lock for a moment and changes no thread: it happens thousands of times a
/// second.
final class AggregatedAuditEvents: Sendable {
    private struct Key: Hashable {
        var project: Identifier<Project>
        var action: String
        var clientID: String?
        var code: String?

        init(_ draft: AuditEventDraft) {
            (project, action) = (draft.project, draft.action)
            (clientID, code) = (draft.clientID, draft.code)
        }
    }

    private struct State {
        var minute: Int64 = .min
        var seenMinute: Int64 = .min
        var seen: Set<Key> = []
        var current: [Key: AuditEvent] = [:]
        var finished: [AuditEvent] = []
    }

    private let state = Mutex(State())

    /// Counts the draft into its minute; `true` when an earlier minute waits to be written.
    func add(_ draft: AuditEventDraft, event: (AuditEventDraft) -> AuditEvent) -> Bool {
        let minute = draft.facts.now.seconds / 60
        return state.withLock { state in
            if state.minute != minute {
                state.finished += state.current.values
                state.current.removeAll(keepingCapacity: true)
                state.minute = minute
            }
            state.current[Key(draft), default: event(draft)].count += 1
            return !state.finished.isEmpty
        }
    }

    /// Whether nothing like the draft has come in its minute: then the draft gets an event of its own.
    /// Each process so makes at most one each minute for each client and code.
    func isFirst(_ draft: AuditEventDraft) -> Bool {
        let minute = draft.facts.now.seconds / 60
        return state.withLock { state in
            if state.seenMinute != minute {
                state.seenMinute = minute
                state.seen.removeAll(keepingCapacity: true)
            }
            return state.seen.insert(Key(draft)).inserted
        }
    }

    /// Takes the finished minutes, or everything.
    func take(all: Bool) -> [AuditEvent] {
        state.withLock { state in
            if all {
                state.finished += state.current.values
                state.current = [:]
            }
            defer { state.finished = [] }
            return state.finished
        }
    }

    /// Takes back what could not be written.
    func putBack(_ events: [AuditEvent]) {
        state.withLock { $0.finished += events }
    }
}
