// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Storage
import StorageSQL
import Synchronization

/// The bounded queue of work for connections, in order of arrival. Work beyond the bound is
/// refused at once.
///
/// Some of the connections do reads only: changes that wait for a locked table or row cannot occupy
/// all of them.
final class WorkQueue: Sendable {
    enum Kind { case read, change }

    struct Work: Sendable {
        let kind: Kind
        let run: @Sendable (PostgreSQLConnection) -> Void
        fileprivate let number: UInt64
    }

    private struct State {
        var reads = Line()
        var changes = Line()
        /// Of all accepted work.
        var count: UInt64 = 0
        var runningChanges = 0
        var isClosed = false
        var workers: Int
        var ended: [CheckedContinuation<Void, Never>] = []

        var isEmpty: Bool { reads.isEmpty && changes.isEmpty }
    }

    /// Work of one kind.
    private struct Line {
        private var all: [Work] = []
        private var head = 0

        var count: Int { all.count - head }
        var isEmpty: Bool { count == 0 }
        var first: Work? { isEmpty ? nil : all[head] }

        mutating func append(_ work: Work) { all.append(work) }

        mutating func removeFirst() {
            head += 1
            if head == all.count {
                all.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1024 {
                all.removeFirst(head)
                head = 0
            }
        }
    }

    private static let bound = 10_000

    private let workers: Int
    /// How many changes run at once.
    private let maximumChanges: Int
    private let state: Mutex<State>
    /// Signalled once for each piece of work, and when a change could not start at its signal.
    private let signal = DispatchSemaphore(value: 0)

    init(workers: Int) {
        self.workers = workers
        maximumChanges = max(workers - max(workers / 4, 1), 1)
        state = Mutex(State(workers: workers))
    }

    func add(
        _ kind: Kind, _ work: @escaping @Sendable (PostgreSQLConnection) -> Void
    ) throws {
        try state.withLock { state in
            if state.isClosed { throw StorageError(.unavailable, "the store is closed") }
            guard state.reads.count + state.changes.count < Self.bound else {
                throw StorageError(.unavailable, "too much waits for the database")
            }
            state.count += 1
            let work = Work(kind: kind, run: work, number: state.count)
            if kind == .read { state.reads.append(work) } else { state.changes.append(work) }
        }
        signal.signal()
    }

    /// Blocks until there is work; `nil` when there will never be any again.
    func next() -> Work? {
        while true {
            signal.wait()
            let (work, isOver) = state.withLock { state -> (Work?, Bool) in
                if let work = takeFirst(&state) { return (work, false) }
                return (nil, state.isClosed && state.isEmpty)
            }
            if let work { return work }
            guard isOver else { continue }
            // For the other workers.
            signal.signal()
            return nil
        }
    }

    /// The oldest work that may run.
    private func takeFirst(_ state: inout State) -> Work? {
        let mayChange = state.runningChanges < maximumChanges
        let change = mayChange ? state.changes.first : nil
        if let read = state.reads.first, read.number < change?.number ?? .max {
            state.reads.removeFirst()
            return read
        }
        guard let change else { return nil }
        state.changes.removeFirst()
        state.runningChanges += 1
        return change
    }

    /// Called after each piece of work.
    func finished(_ work: Work) {
        let mustWake = state.withLock { state in
            if work.kind == .change { state.runningChanges -= 1 }
            return state.isClosed || work.kind == .change && !state.changes.isEmpty
        }
        if mustWake { signal.signal() }
    }

    /// Refuses new work and waits until the accepted is done.
    func close() async {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        if !wasClosed { signal.signal() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock {
                if $0.workers == 0 { return true }
                $0.ended.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    func workerEnded() {
        let ended = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.workers -= 1
            guard state.workers == 0 else { return [] }
            defer { state.ended = [] }
            return state.ended
        }
        for continuation in ended { continuation.resume() }
    }
}
