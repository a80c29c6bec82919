// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One piece of work at a time: who comes while it is being done gets what comes of it.
///
/// It goes on whoever waits no longer: a renewal that was cut off would lose what the provider
/// gave. Who is cancelled is let go at once.
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
        let slot = OneShotContinuation<Value>()
        Task { slot.finish(await task.result) }
        return try await slot.answer()
    }
}
