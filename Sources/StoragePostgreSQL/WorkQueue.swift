// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Storage
import Synchronization

/// The bounded queue of work for a connection, in order of arrival. Work beyond the bound is
/// refused at once.
final class WorkQueue: Sendable {
    typealias Work = @Sendable (PostgreSQLConnection) -> Void

    private struct State {
        var waiting: [Work] = []
        /// Index of the oldest in `waiting`.
        var first = 0
        var isClosed = false
        var workers: Int
        var ended: [CheckedContinuation<Void, Never>] = []
    }

    private static let bound = 10_000

    private let workers: Int
    private let state: Mutex<State>
    private let signal = DispatchSemaphore(value: 0)

    init(workers: Int) {
        self.workers = workers
        state = Mutex(State(workers: workers))
    }

    func add(_ work: @escaping Work) throws {
        try state.withLock {
            if $0.isClosed { throw StorageError(.unavailable, "the store is closed") }
            guard $0.waiting.count - $0.first < Self.bound else {
                throw StorageError(.unavailable, "too much waits for the database")
            }
            $0.waiting.append(work)
        }
        signal.signal()
    }

    /// Blocks until there is work; `nil` when there will never be any again.
    func next() -> Work? {
        signal.wait()
        return state.withLock {
            guard $0.first < $0.waiting.count else { return nil }
            let work = $0.waiting[$0.first]
            $0.first += 1
            if $0.first == $0.waiting.count {
                $0.waiting.removeAll(keepingCapacity: true)
                $0.first = 0
            } else if $0.first >= 1024 {
                $0.waiting.removeFirst($0.first)
                $0.first = 0
            }
            return work
        }
    }

    /// Refuses new work and waits until the accepted is done.
    func close() async {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        if !wasClosed { for _ in 0..<workers { signal.signal() } }
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
