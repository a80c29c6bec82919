// SPDX-License-Identifier: Apache-2.0
import Platform
import Synchronization

/// The reading statements that have just waited in vain for the lock of a table.
///
/// Until a second has passed they are refused without waiting, so a locked table does not occupy
/// all connections, and reads of other tables continue.
final class LockedStatements: Sendable {
    /// In milliseconds.
    private static let pause: Int64 = 1_000
    private static let capacity = 1_000

    private let times = Mutex<[String: Int64]>([:])

    /// Whether the statement is refused. If not, and it was refused before, its next attempt is
    /// the only one until ``succeeded(_:)``.
    func refuses(
        _ statement: String, now: Int64 = MachineClock.monotonicMilliseconds
    ) -> Bool {
        times.withLock { times in
            guard let time = times[statement] else { return false }
            if now - time < Self.pause { return true }
            times[statement] = now
            return false
        }
    }

    func timedOut(_ statement: String, now: Int64 = MachineClock.monotonicMilliseconds) {
        times.withLock { times in
            if times.count >= Self.capacity { times.removeAll() }
            times[statement] = now
        }
    }

    func succeeded(_ statement: String) {
        times.withLock { times in
            guard !times.isEmpty else { return }
            times[statement] = nil
        }
    }
}
