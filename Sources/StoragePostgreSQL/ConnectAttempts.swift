// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage
import Synchronization

/// The last failed attempt to connect, which all connections of an engine share.
///
/// For a moment after it they do not try again. Otherwise a host that does not respond would occupy
/// every thread for the connection timeout.
final class ConnectAttempts: Sendable {
    private struct Failed {
        let at: Int64
        let reason: String
    }

    /// In milliseconds.
    private static let pause: Int64 = 200

    private let last = Mutex<Failed?>(nil)

    /// Throws if an attempt has just failed.
    func check(now: Int64 = MachineClock.monotonicMilliseconds) throws {
        guard let failed = last.withLock({ $0 }), now - failed.at < Self.pause else { return }
        throw StorageError(.unavailable, failed.reason)
    }

    func failed(_ reason: String, now: Int64 = MachineClock.monotonicMilliseconds) {
        last.withLock { $0 = Failed(at: now, reason: reason) }
    }

    func succeeded() { last.withLock { $0 = nil } }
}
