// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The tasks that serve accepted connections.
///
/// Each connection has its task from the moment it exists. NIO drops a connection that it accepts
/// while the listener closes, and a `NIOAsyncChannel` that is dropped before `executeThenClose`
/// ends the process (a precondition of `NIOAsyncWriter`).
final class ConnectionTasks: Sendable {
    private struct State {
        var isCancelled = false
        var started = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Starts a task. After ``cancel()`` it starts cancelled.
    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            let number = state.started
            state.started += 1
            let task = Task {
                await body()
                end(number)
            }
            state.running[number] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Cancels all tasks, and those that are started later.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.running.values
        }
        for task in running { task.cancel() }
    }

    /// Returns when no task runs.
    func finished() async {
        while let task = state.withLock({ $0.running.first?.value }) { await task.value }
    }

    private func end(_ number: Int) {
        state.withLock { state in state.running[number] = nil }
    }
}
