// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The connections to the agent's socket, which decide whether the agent is idle.
final class AgentConnectionTracker: Sendable {
    private let state = Mutex((all: 0, open: 0))

    var counts: (all: Int, open: Int) { state.withLock { $0 } }

    func arrived() {
        state.withLock { state in
            state.all += 1
            state.open += 1
        }
    }

    func left() { state.withLock { $0.open -= 1 } }
}
