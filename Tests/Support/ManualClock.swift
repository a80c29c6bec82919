// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Synchronization

/// A clock that only a test advances.
package final class ManualClock: WallClock {
    private let time: Mutex<Timestamp>

    package init(_ start: Timestamp = Timestamp(seconds: 1_800_000_000)) { time = Mutex(start) }

    package var now: Timestamp { time.withLock { $0 } }

    package func advance(by span: TimeSpan) { time.withLock { $0 = $0 + span } }
}
