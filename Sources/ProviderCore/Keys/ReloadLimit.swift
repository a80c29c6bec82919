// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Synchronization

/// Limits how often an unknown key ID makes a process read the keys of a project again: once in a
/// second. Without a limit, a sender of invented key IDs would cause a read for each message.
final class ReloadLimit: Sendable {
    private static let period = TimeSpan.seconds(1)
    private static let capacity = 20_000

    private let times = Mutex<[Identifier<Project>: Timestamp]>([:])

    /// Whether the keys may be read now. Then the period starts.
    func permits(_ project: Identifier<Project>, now: Timestamp) -> Bool {
        times.withLock { times in
            if let last = times[project], now >= last, now - last < Self.period { return false }
            if times.count >= Self.capacity { times.removeAll(keepingCapacity: true) }
            times[project] = now
            return true
        }
    }
}
