// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import PasswordHashing
import Synchronization

/// A pool of hashing threads with a clock of the test's own, whose threads a test can hold.
package final class BusyPool: Sendable {
    package let pool: HashingPool
    private let elapsed: Elapsed
    private let open = DispatchSemaphore(value: 0)

    private final class Elapsed: Sendable {
        private let start = ContinuousClock.now
        let time = Mutex(Duration.zero)
        var now: ContinuousClock.Instant { start + time.withLock { $0 } }
    }

    package init(threads: Int = 1, capacity: Int) {
        let elapsed = Elapsed()
        self.elapsed = elapsed
        pool = HashingPool(threads: threads, capacity: capacity, time: { elapsed.now })
    }

    /// Runs a computation that takes so long by the test's clock, and returns when it is counted.
    package func compute(for time: Duration) async throws {
        let elapsed = elapsed
        try await pool.run {
            elapsed.time.withLock { $0 += time }
            return .success(())
        }
        while pool.load.running > 0 { await Task.yield() }
    }

    /// Computations that run or wait until ``release()``, while `body` runs.
    package func holding(_ count: Int, _ body: () async throws -> Void) async throws {
        let (pool, open) = (pool, open)
        for _ in 0..<count {
            Task {
                try await pool.run {
                    open.wait()
                    return .success(())
                }
            }
        }
        while pool.load.running + pool.load.waiting < count { await Task.yield() }
        defer { for _ in 0..<count { open.signal() } }
        try await body()
    }
}
