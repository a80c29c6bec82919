// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Where one task waits on an ``AuthenticatorThread``: for a file, for a moment, or to be woken.
package final class ThreadWait: Sendable {
    package enum Outcome: Sendable, Equatable {
        /// What poll(2) says of the file: it can be read or written, or is gone.
        case ready(Int16)
        case timedOut
        /// Somebody called ``ThreadWait/wake()``.
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

    /// Waits. One task at a time may.
    ///
    /// - Parameters:
    ///   - file: Which file, and for which events of poll(2).
    ///   - milliseconds: How long at most; `nil` for ever.
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
            if wasWoken { waiter.resume(returning: .woken) } else { thread.heed(self) }
        }
    }

    private static func moment(after milliseconds: Int64) -> Int64 {
        let now = SystemMonotonicClock().milliseconds
        let (sum, overflow) = now.addingReportingOverflow(max(0, milliseconds))
        return overflow ? .max : sum
    }

    /// Ends the wait, from any thread. When nobody waits, the next wait ends at once.
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
