// SPDX-License-Identifier: Apache-2.0
package import AgentClient
import Synchronization

/// The number of connections that each account has to the agent's socket, so that one account
/// cannot exclude others. Root, under which people log in and disks are unlocked, is never counted.
package final class ConnectionLimiter: Sendable {
    /// At once by one account.
    package static let ofOne = 16
    /// At once by all together.
    package static let ofAll = 256

    private let counts = Mutex<[UInt32: Int]>([:])

    package init() {}

    /// Returns whether another connection is allowed; its end must be reported.
    package func enter(_ caller: AgentCaller) -> Bool {
        guard !caller.mayDoAnything else { return true }
        return counts.withLock { counts in
            let own = counts[caller.user, default: 0]
            guard own < Self.ofOne, counts.values.reduce(0, +) < Self.ofAll else { return false }
            counts[caller.user] = own + 1
            return true
        }
    }

    package func leave(_ caller: AgentCaller) {
        guard !caller.mayDoAnything else { return }
        counts.withLock { counts in
            let others = counts[caller.user, default: 0] - 1
            counts[caller.user] = others > 0 ? others : nil
        }
    }
}
