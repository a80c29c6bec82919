// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something that serves a software key until it is stopped or has nobody left to serve.
protocol AuthenticatorService: Sendable {
    /// Ends the service; ``ended()`` returns soon after.
    func stop()
    /// Waits until everything that was held is let go of.
    func ended() async
}

/// The end of something, which any number of tasks wait for.
final class ServiceEnd: Sendable {
    private struct State {
        var isReached = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func reach() {
        let waiters = state.withLock { state in
            state.isReached = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when ``reach()`` was called.
    func reached() async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.isReached { state.waiters.append(waiter) }
                return state.isReached
            }
            if isOver { waiter.resume() }
        }
    }
}
