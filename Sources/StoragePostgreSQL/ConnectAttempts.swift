// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage
import Synchronization

/// What the connections of an engine know together about reaching the server.
///
/// For a moment after a failed attempt to connect they do not try again. Otherwise a host that does
/// not respond would occupy every thread for the connection timeout. If a server falls silent, none
/// of them uses its connection again.
final class ConnectAttempts: Sendable {
    private struct Failed {
        let at: Int64
        let reason: String
    }

    /// In milliseconds.
    private static let pause: Int64 = 200

    private let last = Mutex<Failed?>(nil)
    private let silences = Atomic<Int>(0)

    /// Increases each time a server fell silent. A connection of an earlier generation is not used.
    var generation: Int { silences.load(ordering: .acquiring) }

    /// Throws if an attempt has just failed.
    func check(now: Int64 = MachineClock.monotonicMilliseconds) throws {
        guard let failed = last.withLock({ $0 }), now - failed.at < Self.pause else { return }
        throw StorageError(.unavailable, failed.reason)
    }

    func failed(_ reason: String, now: Int64 = MachineClock.monotonicMilliseconds) {
        last.withLock { $0 = Failed(at: now, reason: reason) }
    }

    func serverFellSilent() { silences.add(1, ordering: .acquiringAndReleasing) }

    func succeeded() { last.withLock { $0 = nil } }
}
