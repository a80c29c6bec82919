// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import Platform
import Synchronization

/// A thread for calls that may never return and cannot be interrupted. The caller stops waiting
/// after a limit; the thread remains until the call returns.
package final class AbandonableThread: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var isEnded = false
        var isAbandoned = false
    }

    private final class Queue: Sendable {
        let state = Mutex(State())
        let signal = DispatchSemaphore(value: 0)

        func add(_ job: @escaping Job) {
            state.withLock { $0.jobs.append(job) }
            signal.signal()
        }

        /// Waits for the next job; `nil` after the last one.
        func next() -> Job? {
            signal.wait()
            return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        }
    }

    /// The result of a call, transferred from one thread to the other.
    private final class ResultSlot<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func set(_ value: Value) {
            self.value.withLock { $0 = value }
            isThere.signal()
        }

        func wait(milliseconds: Int64) -> Value? {
            let limit = DispatchTimeInterval.milliseconds(Int(clamping: milliseconds))
            guard isThere.wait(timeout: .now() + limit) == .success else { return nil }
            return value.withLock { $0 }
        }
    }

    private let queue = Queue()

    package init() throws(PlatformError) {
        try BackgroundThread.start(niceness: 0) { [queue] in
            while let job = queue.next() { job() }
        }
    }

    /// Returns the result of a call; `nil` if it exceeds the limit, and for every later call.
    package func run<Value: Sendable>(
        within milliseconds: Int64, _ call: @escaping @Sendable () -> Value
    ) -> Value? {
        guard !queue.state.withLock({ $0.isAbandoned || $0.isEnded }) else { return nil }
        let slot = ResultSlot<Value>()
        queue.add { slot.set(call()) }
        let value = slot.wait(milliseconds: milliseconds)
        if value == nil { queue.state.withLock { $0.isAbandoned = true } }
        return value
    }

    /// Makes a last call, after the current one, and ends the thread. Waits for the last call,
    /// unless the thread is abandoned.
    package func end(_ last: @escaping @Sendable () -> Void) {
        let (wasOver, isAbandoned) = queue.state.withLock { state in
            defer { state.isEnded = true }
            return (state.isEnded, state.isAbandoned)
        }
        guard !wasOver else { return }
        let slot = ResultSlot<Bool>()
        queue.add {
            last()
            slot.set(true)
        }
        // A signal without a job ends the thread.
        queue.signal.signal()
        if !isAbandoned { _ = slot.wait(milliseconds: 2000) }
    }
}
