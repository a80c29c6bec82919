// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A task that concurrent callers share: all get its result.
///
/// The work continues if a caller is cancelled: a cancelled renewal would lose the tokens of the
/// response. A cancelled caller returns at once.
final class CoalescingTask<Value: Sendable>: Sendable {
    private let running = Mutex<Task<Value, any Error>?>(nil)

    /// Joins or begins before the caller lets go of its actor.
    func value(
        isolation: isolated (any Actor)? = #isolation,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                defer { self.running.withLock { $0 = nil } }
                return try await work()
            }
            running = task
            return task
        }
        let continuation = OneShotContinuation<Value>()
        Task { continuation.finish(await task.result) }
        return try await continuation.answer()
    }
}
