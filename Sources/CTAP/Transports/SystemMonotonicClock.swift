// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The machine's clock.
package struct SystemMonotonicClock: MonotonicClock {
    package init() {}

    package var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package func rest(milliseconds: Int64) {
        var time = timespec()
        time.tv_sec = numericCast(max(0, milliseconds) / 1000)
        time.tv_nsec = numericCast(max(0, milliseconds) % 1000 * 1_000_000)
        nanosleep(&time, nil)
    }
}
