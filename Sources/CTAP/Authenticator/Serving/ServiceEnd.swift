// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The end of a service, for which any number of tasks wait.
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
            let isEnded = state.withLock { state in
                if !state.isReached { state.waiters.append(waiter) }
                return state.isReached
            }
            if isEnded { waiter.resume() }
        }
    }
}
