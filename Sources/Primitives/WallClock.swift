// SPDX-License-Identifier: Apache-2.0
import Platform

/// A source of the time, which code takes as an argument.
package protocol WallClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's clock.
package struct SystemWallClock: WallClock {
    package init() {}

    package var now: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds) }
}
