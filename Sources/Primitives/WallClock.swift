// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the time comes from. Code below floor 6 never asks the system itself.
package protocol WallClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's clock.
package struct SystemWallClock: WallClock {
    package init() {}

    package var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
