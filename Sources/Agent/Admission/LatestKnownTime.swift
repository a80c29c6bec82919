// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// How long this machine has been running, its sleep included. Setting the clock does not move it.
package protocol BootTimeClock: Sendable {
    var elapsed: Duration { get }
}

/// `CLOCK_BOOTTIME`
package struct SystemBootTimeClock: BootTimeClock {
    package init() {}

    /// Since the machine was started, so that it means the same in the next process.
    package var elapsed: Duration { MachineClock.sinceBoot }
}

/// The earliest that it can be, whatever the wall clock says: the latest time that was seen, and what
/// has passed since. A clock that is set back, also by a little and again and again, takes nothing off it.
package struct LatestKnownTime: Sendable, Equatable {
    package private(set) var latest: Timestamp
    private(set) var mark: Duration

    package init(_ latest: Timestamp, elapsed: Duration) {
        self.latest = latest
        mark = elapsed
    }

    package func earliest(_ wall: Timestamp, elapsed: Duration) -> Timestamp {
        max(wall, latest + Self.span(elapsed - mark))
    }

    package mutating func see(_ wall: Timestamp, elapsed: Duration) {
        (latest, mark) = (earliest(wall, elapsed: elapsed), elapsed)
    }

    /// Somebody who knows the time has just accepted it: a clock that was ahead of itself, and was set
    /// right, is not held against anybody for ever.
    package mutating func confirm(_ wall: Timestamp, elapsed: Duration) {
        (latest, mark) = (wall, elapsed)
    }

    private static func span(_ duration: Duration) -> TimeSpan {
        let (seconds, attoseconds) = duration.components
        return TimeSpan(
            milliseconds: TimeSpan.seconds(max(seconds, 0)).milliseconds
                + attoseconds / 1_000_000_000_000_000)
    }
}
