// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CWaiting
    import Glibc
#elseif canImport(Musl)
    import CWaiting
    import Musl
#else
    import Darwin
#endif

/// How long the machine has been running, its sleep included: the same for every process on it.
package enum RunningTime {
    package static var elapsed: Duration {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
