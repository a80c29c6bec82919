// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The wait of one task on an ``AuthenticatorThread``: for a file, for a deadline, or for a
/// wake-up.
package final class ThreadWait: Sendable {
    package enum Outcome: Sendable, Equatable {
        /// The events of poll(2): the file is readable, writable or closed.
        case ready(Int16)
        case timedOut
        /// ``ThreadWait/wake()`` was called.
        case woken
    }

    struct Request {
        /// Negative for none.
        var file: Int32 = -1
        var events: Int16 = 0
        /// In milliseconds of ``SystemMonotonicClock``.
        var deadline = Int64.max
    }

    private struct State {
        var request = Request()
        var waiter: CheckedContinuation<Outcome, Never>?
        var isWoken = false
    }

    private let thread: AuthenticatorThread
    private let state = Mutex(State())

    package init(on thread: AuthenticatorThread) { self.thread = thread }

    /// Waits. Only one task at a time may wait.
    ///
    /// - Parameters:
    ///   - file: The file and its events of poll(2).
    ///   - milliseconds: The time limit; `nil` for none.
    package func wait(
        for file: (descriptor: Int32, events: Int16)? = nil, milliseconds: Int64?
    ) async -> Outcome {
        var request = Request()
        if let file { (request.file, request.events) = file }
        if let milliseconds { request.deadline = Self.moment(after: milliseconds) }
        return await withCheckedContinuation { [request] waiter in
            let wasWoken = state.withLock { state in
                defer { state.isWoken = false }
                if !state.isWoken { (state.request, state.waiter) = (request, waiter) }
                return state.isWoken
            }
            if wasWoken { waiter.resume(returning: .woken) } else { thread.add(self) }
        }
    }

    private static func moment(after milliseconds: Int64) -> Int64 {
        let now = SystemMonotonicClock().milliseconds
        let (sum, overflow) = now.addingReportingOverflow(max(0, milliseconds))
        return overflow ? .max : sum
    }

    /// Ends the wait, from any thread. If no task waits, the next wait ends at once.
    package func wake() {
        let waiter = state.withLock { state in
            state.isWoken = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: .woken)
    }

    // MARK: For the thread

    var request: Request { state.withLock { $0.request } }
    var isWaiting: Bool { state.withLock { $0.waiter != nil } }

    func end(_ outcome: Outcome) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }
}
