// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Keeps what is asked for before a moment until that moment has come.
final class StartLatch: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// The moment has come.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }

    /// Now, when the moment has come, else when it comes; never, when it never does.
    func perform(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(action) }
            return state.isOpen
        }
        if isOpen { action() }
    }
}
