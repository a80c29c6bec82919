// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Locks by name between the tasks of one process, first come, first served.
final class NamedLocks: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// Held names, and who waits for each.
        var waiters: [RecordName: [Waiter]] = [:]
        /// The waiters that were cancelled before they were registered.
        var gaveUp: Set<Int> = []
        var next = 0
    }

    private let state = Mutex(State())

    /// - Throws: `CancellationError` when the task is cancelled while it waits. A lock that is free
    ///   is taken by a cancelled task as well.
    func acquire(_ name: RecordName) async throws {
        if acquireIfFree(name) { return }
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        defer { state.withLock { _ = $0.gaveUp.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, number, for: name) }
        } onCancel: {
            cancel(number, name)
        }
    }

    private func wait(
        _ continuation: CheckedContinuation<Void, any Error>, _ number: Int, for name: RecordName
    ) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            guard !state.gaveUp.contains(number) else { return .failure(CancellationError()) }
            guard state.waiters[name] != nil else {
                state.waiters[name] = []
                return .success(())
            }
            state.waiters[name]?.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func cancel(_ number: Int, _ name: RecordName) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters[name]?.firstIndex(where: { $0.number == number })
            else {
                state.gaveUp.insert(number)
                return nil
            }
            return state.waiters[name]?.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    func acquireIfFree(_ name: RecordName) -> Bool {
        state.withLock { state in
            guard state.waiters[name] == nil else { return false }
            state.waiters[name] = []
            return true
        }
    }

    func release(_ name: RecordName) {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters[name]?.isEmpty == false else {
                state.waiters[name] = nil
                return nil
            }
            return state.waiters[name]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
