// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if os(Linux)
    import CWaiting
#endif

/// A timer that is a descriptor of Linux (timerfd_create(2)): readable from its time on. Elsewhere there is
/// none.
package struct EventTimer: Sendable {
    package let descriptor: Descriptor
    private let flags: Int32

    /// Follows `CLOCK_REALTIME`, also through suspension and changes of the clock. Times are milliseconds
    /// since 1970.
    package static func wallClock() throws(PlatformError) -> EventTimer {
        #if os(Linux)
            // `TFD_TIMER_ABSTIME`
            try EventTimer(CLOCK_REALTIME, flags: 1)
        #else
            throw PlatformError("timerfd_create", code: .notImplemented)
        #endif
    }

    /// Follows `CLOCK_BOOTTIME`, which counts suspension and cannot be set. Times are milliseconds from
    /// the call on.
    package static func bootTime() throws(PlatformError) -> EventTimer {
        #if os(Linux)
            try EventTimer(CLOCK_BOOTTIME, flags: 0)
        #else
            throw PlatformError("timerfd_create", code: .notImplemented)
        #endif
    }

    #if os(Linux)
        private init(_ clock: Int32, flags: Int32) throws(PlatformError) {
            let file = waiting_timer(clock, O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { throw .last("timerfd_create") }
            descriptor = Descriptor(rawValue: file)
            self.flags = flags
        }
    #endif

    /// Sets the time, and forgets one that was reached; `nil` for never.
    package func set(milliseconds: Int64?) {
        #if os(Linux)
            var time = waiting_time()
            if let milliseconds {
                // Zero would switch it off.
                let span = max(milliseconds, 1)
                (time.seconds, time.nanoseconds) = (Int(span / 1000), Int(span % 1000) * 1_000_000)
            }
            // Fails for descriptors that are no timers only.
            _ = waiting_timer_set(descriptor.rawValue, flags, &time, nil)
        #endif
    }

    /// Whether a time is set that was not reached.
    package var isSet: Bool {
        #if os(Linux)
            var time = waiting_time()
            _ = waiting_timer_left(descriptor.rawValue, &time)
            return time.seconds != 0 || time.nanoseconds != 0
        #else
            false
        #endif
    }

    /// Whether the time was reached since the last call of this or of ``set(milliseconds:)``.
    package func consume() -> Bool { (try? descriptor.read(atMost: 8))?.count == 8 }
}
