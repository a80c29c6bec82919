// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clocks of the machine.
package enum MachineClock {
    /// Milliseconds since 1970.
    package static var wallMilliseconds: Int64 { milliseconds(of: CLOCK_REALTIME) }

    /// Milliseconds on a clock that is never set. It may stop while the machine sleeps.
    package static var monotonicMilliseconds: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

    /// Time since the machine started, its sleep included; equal in all processes.
    package static var sinceBoot: Duration {
        #if os(Linux)
            let time = time(of: CLOCK_BOOTTIME)
        #else
            let time = time(of: CLOCK_MONOTONIC)
        #endif
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Blocks the calling thread, which must not be one of the cooperative pool.
    package static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = max(duration, .zero).components
        var time = timespec()
        time.tv_sec = numericCast(seconds)
        time.tv_nsec = numericCast(attoseconds / 1_000_000_000)
        nanosleep(&time, nil)
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        let time = time(of: clock)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func time(of clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
