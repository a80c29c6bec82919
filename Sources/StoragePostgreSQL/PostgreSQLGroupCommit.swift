// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Platform
import Storage
import StorageSQL
import Synchronization

/// A writer that groups changes of one statement into shared commits: those that wait during a
/// commit are sent in one pipeline and committed together.
///
/// Each change is atomic and sees those before it. If one of them fails, the whole batch is rolled
/// back. That change then runs alone on another connection, and the others are sent again. So a
/// change does not fail or wait for a lock because of the others in its batch.
final class PostgreSQLGroupCommit: Sendable {
    private struct State {
        var waiting: [PendingChange] = []
        var isIdle = false
        var isClosed = false
        var hasEnded = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// The maximum number of changes in one commit, which bounds the waiting time.
    private static let batchSize = 256
    private static let bound = 10_000

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)
    private let count: CommitCounter?
    /// Runs a change on a separate connection.
    private let alone: @Sendable (PendingChange) -> Void

    /// Starts the thread, which ends after ``close()``; `nil` when the system has none to give.
    init?(
        url: String, shared: PostgreSQLConnection.Shared, counting count: CommitCounter?,
        alone: @escaping @Sendable (PendingChange) -> Void
    ) {
        self.count = count
        self.alone = alone
        do {
            try BackgroundThread.start(niceness: 0) { [self] in
                let connection = PostgreSQLConnection(
                    url: url, greeting: PostgreSQLLimits.sharedCommits, shared: shared)
                while let batch = next() { commit(batch, on: connection) }
                connection.disconnect()
                ended()
            }
        } catch { return nil }
    }

    func add(_ change: PendingChange) throws {
        let mustWake = try state.withLock { state in
            if state.isClosed { throw StorageError(.unavailable, "the store is closed") }
            guard state.waiting.count < Self.bound else {
                throw StorageError(.unavailable, "too much waits for the database")
            }
            state.waiting.append(change)
            defer { state.isIdle = false }
            return state.isIdle
        }
        if mustWake { signal.signal() }
    }

    /// Refuses new changes and waits until the accepted are done.
    func close() async {
        let mustWake = state.withLock { state in
            state.isClosed = true
            defer { state.isIdle = false }
            return state.isIdle
        }
        if mustWake { signal.signal() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.closers.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: On the thread

    /// Blocks until there is something; `nil` when there will never be anything again.
    private func next() -> [PendingChange]? {
        while true {
            let (batch, isOver) = state.withLock { state -> ([PendingChange], Bool) in
                if state.waiting.isEmpty {
                    state.isIdle = !state.isClosed
                    return ([], state.isClosed)
                }
                let batch = Array(state.waiting.prefix(Self.batchSize))
                state.waiting.removeFirst(batch.count)
                return (batch, false)
            }
            if !batch.isEmpty { return batch }
            if isOver { return nil }
            signal.wait()
        }
    }

    private func ended() {
        let closers = state.withLock { state in
            state.hasEnded = true
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    private func commit(_ batch: [PendingChange], on connection: PostgreSQLConnection) {
        var left = batch
        while !left.isEmpty {
            do {
                let rows = try connection.pipeline(left)
                count?.add(writes: left.count)
                for (change, rows) in zip(left, rows) { change.answer(rows) }
                return
            } catch let failure as PipelineError {
                alone(left.remove(at: failure.index))
            } catch {
                // There is no connection, or it was lost: the outcome of the changes is unknown.
                for change in left { change.answer(.failure(error)) }
                return
            }
        }
    }
}
