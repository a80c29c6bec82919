// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// What a process says about its health, ten times a second. Blocking, on a separate thread.
final class HealthWatch: Sendable {
    struct Reading: Sendable {
        let sent: ContinuousClock.Instant
        let received: ContinuousClock.Instant
        /// `nil` if there was no response.
        let live: Int?
        let ready: Int?
    }

    private let readings = Mutex<[Reading]>([])
    private let port: Int

    init(port: Int) { self.port = port }

    func read(until isOver: () -> Bool) {
        while !isOver() {
            let sent = ContinuousClock.now
            let ready = status("/health/ready")
            let reading = Reading(
                sent: sent, received: .now, live: status("/health/live"), ready: ready)
            readings.withLock { $0.append(reading) }
            usleep(100_000)
        }
    }

    private func status(_ path: String) -> Int? {
        try? exchangeNow(.init(path: path), port: port, timeout: 10).status
    }

    var all: [Reading] { readings.withLock { $0 } }

    /// Whether it is ready now.
    var isReady: Bool { all.last?.ready == 200 }

    /// Readings whose request was sent and answered in this time.
    func readings(within time: ClosedRange<ContinuousClock.Instant>) -> [Reading] {
        all.filter { time.contains($0.sent) && time.contains($0.received) }
    }
}
