// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The earliest time that is possible now: the latest recorded time, and the time that passed
/// since. A clock that is set back, even repeatedly, does not reduce it.
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

    /// A provider has accepted the present time: a clock that was ahead and was corrected has no
    /// effect from now on.
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
