// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension SecureStore {
    /// Runs `body` under a lock, with a time limit: a stopped process retains its locks for an
    /// unknown time.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` when others have held the lock for so long. What has
    ///   begun under the lock is not cut off.
    func withLock<Value: Sendable>(
        _ name: RecordName, waiting patience: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let turn = Turn()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await self.withLock(name) {
                    guard turn.begin() else { throw CancellationError() }
                    return try await body()
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let value = ended { return value }
                // The lock itself throws for a cancelled task.
                guard !Task.isCancelled, turn.cancel() else { continue }
                throw StoreError.unavailable("the lock \(name) was not released within \(patience)")
            }
            throw CancellationError()
        }
    }
}

/// The state of a wait, which either the waiter or the lock decides.
private final class Turn: Sendable {
    private enum State { case waiting, begun, over }
    private let state = Mutex(State.waiting)

    /// Returns `false` if the caller no longer waits.
    func begin() -> Bool { move(to: .begun) }
    /// `false` when it has begun.
    func cancel() -> Bool { move(to: .over) }

    private func move(to new: State) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return false }
            state = new
            return true
        }
    }
}
