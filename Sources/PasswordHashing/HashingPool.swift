// SPDX-License-Identifier: Apache-2.0
import CArgon2
import Dispatch
import Platform
package import Primitives
import Synchronization

/// A pool of dedicated threads for slow computations, with a bounded queue.
///
/// A burst of sign-ins fills the queue, and further ones are refused at once. It never blocks a
/// thread of the cooperative pool. The threads have a low priority, so that token requests are
/// still processed.
///
/// Every computation requires megabytes, which ``Argon2Memory`` caches for the next one. A thread
/// that was idle for a short time releases them to the system.
package final class HashingPool: Sendable {
    /// The load of the pool, for metrics.
    package struct Load: Sendable, Equatable {
        package var waiting = 0
        package var running = 0
        package var refused = 0
        /// Computations that were begun since the pool was made.
        package var begun = 0
    }

    /// Returns the time of a monotonic clock.
    package typealias Time = @Sendable () -> ContinuousClock.Instant
    private typealias Job = @Sendable (_ stopped: Bool) -> Void

    private struct State {
        var jobs: [Job] = []
        var load = Load()
        var stopped = false
        /// A weighted average of the computation times, the latest counting most; `nil` before the
        /// first has ended.
        var usualTime: Duration?

        mutating func ended(after time: Duration) {
            load.running -= 1
            usualTime = usualTime.map { $0 * 7 / 8 + time / 8 } ?? time
        }

        /// Returns the expected waiting time of the queue, in whole seconds.
        func wait(threads: Int) -> TimeSpan? {
            guard let usualTime else { return nil }
            let all = usualTime * (load.waiting + load.running) / max(1, threads)
            return .seconds(all.components.seconds + 1)
        }
    }

    /// The state of the threads. They retain it and not the pool, so that the pool can stop them.
    private final class Queue: Sendable {
        let state = Mutex(State())
        let signal = DispatchSemaphore(value: 0)
        private let whenIdle: @Sendable () -> Void

        private let time: Time

        init(_ time: @escaping Time, whenIdle: @escaping @Sendable () -> Void) {
            self.time = time
            self.whenIdle = whenIdle
        }

        /// One thread's life: until the pool is stopped.
        func serve() {
            while let job = next() {
                let start = time()
                job(false)
                let end = time()
                state.withLock { $0.ended(after: end - start) }
            }
        }

        private func next() -> Job? {
            if signal.wait(timeout: .now() + HashingPool.patience) == .timedOut {
                whenIdle()
                signal.wait()
            }
            return state.withLock { state in
                guard !state.stopped, !state.jobs.isEmpty else { return nil }
                state.load.waiting -= 1
                state.load.running += 1
                state.load.begun += 1
                return state.jobs.removeFirst()
            }
        }
    }

    /// Twice the crowd of an office that begins its day at once.
    package static let usualCapacity = 500

    private static let patience = DispatchTimeInterval.milliseconds(500)

    private let queue: Queue
    private let threads: Int
    private let capacity: Int
    private let retryAfter: TimeSpan

    /// Creates a pool. If the system refuses threads, the pool has fewer; without any, it is
    /// stopped.
    ///
    /// - Parameters:
    ///   - threads: The number of concurrent computations; at least one.
    ///   - capacity: The maximum number of waiting computations.
    ///   - niceness: 0 (as the rest of the process) to 19 (only on an idle core).
    ///   - retryAfter: The delay in a refusal before the first computation has ended; afterwards it
    ///     is the expected waiting time.
    ///   - time: The clock that measures computations.
    ///   - whenIdle: Called by a thread, once, after half a second without work.
    package init(
        threads: Int, capacity: Int = HashingPool.usualCapacity, niceness: Int32 = 10,
        retryAfter: TimeSpan = .seconds(2), time: @escaping Time = { .now },
        whenIdle: @escaping @Sendable () -> Void = HashingPool.releaseUnusedMemory
    ) {
        let queue = Queue(time, whenIdle: whenIdle)
        let started = (0..<max(1, threads)).filter { _ in
            (try? BackgroundThread.start(niceness: niceness) { queue.serve() }) != nil
        }
        self.queue = queue
        self.threads = started.count
        self.capacity = max(0, capacity)
        self.retryAfter = retryAfter
        if started.isEmpty { queue.state.withLock { $0.stopped = true } }
    }

    /// Releases unused memory, and the caches of the C library's allocator if it supports that, to
    /// the system.
    package static func releaseUnusedMemory() {
        Argon2Memory.releaseUnused()
        argon2_trim_allocator()
    }

    /// Returns one thread per core, and at least one: other work has priority, because the threads
    /// are nice. With all cores hashing, discovery has 0.9 of its measured rate.
    package static func threads(forCores cores: Int) -> Int { max(1, cores) }

    package var load: Load { queue.state.withLock { $0.load } }

    /// Runs `work` on a thread of the pool.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, PasswordHashingError>
    ) async throws(PasswordHashingError) -> Value {
        let result: Result<Value, PasswordHashingError> = await withCheckedContinuation { waiter in
            let refusal = enqueue { stopped in
                waiter.resume(returning: stopped ? .failure(.stopped) : work())
            }
            if let refusal { waiter.resume(returning: .failure(refusal)) }
        }
        return try result.get()
    }

    private func enqueue(_ job: @escaping Job) -> PasswordHashingError? {
        let refusal: PasswordHashingError? = queue.state.withLock { state in
            if state.stopped { return .stopped }
            // A thread that was signalled but has not yet woken is free.
            let idle = threads - state.load.running
            guard state.load.waiting < capacity + idle else {
                state.load.refused += 1
                return .busy(retryAfter: state.wait(threads: threads) ?? retryAfter)
            }
            state.load.waiting += 1
            state.jobs.append(job)
            return nil
        }
        if refusal == nil { queue.signal.signal() }
        return refusal
    }

    /// Ends the threads when they have finished what they compute; those who wait get `stopped`.
    package func stop() {
        let abandoned = queue.state.withLock { state in
            let jobs = state.jobs
            state.jobs = []
            state.load.waiting = 0
            state.stopped = true
            return jobs
        }
        for job in abandoned { job(true) }
        for _ in 0..<threads { queue.signal.signal() }
    }

    deinit { stop() }
}
