// SPDX-License-Identifier: Apache-2.0
/// A source of the time. Only code of layer 6 reads the system's clock itself.
package protocol WallClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's clock.
package struct SystemWallClock: WallClock {
    package init() {}

    package var now: Timestamp { Timestamp(milliseconds: SystemCalls.wallClock) }
}
