// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Synchronization

/// Audit events that are aggregated: one event with a count for each minute, action, client and
/// code.
///
/// Counting is synchronous and only takes a lock for a moment, because it happens thousands of
/// times a second.
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

    /// Counts the draft in its minute. Returns `true` if events of an earlier minute can be
    /// written.
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

    /// Whether the draft is the first of its key in its minute. The first is written as an event
    /// with its details, so each process writes at most one a minute for each key.
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

    /// Removes and returns the events of finished minutes, or with `all` those of the current
    /// minute too.
    func removeFinished(all: Bool) -> [AuditEvent] {
        state.withLock { state in
            if all {
                state.finished += state.current.values
                state.current = [:]
            }
            defer { state.finished = [] }
            return state.finished
        }
    }

    /// Returns events to the list after a failed write.
    func restore(_ events: [AuditEvent]) {
        state.withLock { $0.finished += events }
    }
}
