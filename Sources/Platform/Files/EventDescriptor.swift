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

/// Descriptors of Linux that become readable when something happens. Elsewhere there are none.
package enum EventDescriptor {
    /// Becomes readable when names in a directory are created, removed, renamed or change their
    /// permissions (inotify(7)); `nil` if the first directory cannot be watched.
    ///
    /// - Parameters:
    ///   - others: Further directories, if they exist.
    ///   - includingContent: Whether also when a file was written.
    package static func changes(
        in directory: String, and others: [String] = [], includingContent: Bool,
        isNonBlocking: Bool = false
    ) -> Descriptor? {
        #if os(Linux)
            let file = inotify_init1(Int32(IN_CLOEXEC) | (isNonBlocking ? Int32(IN_NONBLOCK) : 0))
            guard file >= 0 else { return nil }
            let names = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO
            let mask = UInt32(includingContent ? names | IN_CLOSE_WRITE : names)
            guard inotify_add_watch(file, directory, mask) >= 0 else {
                close(file)
                return nil
            }
            for other in others { _ = inotify_add_watch(file, other, mask) }
            return Descriptor(rawValue: file)
        #else
            return nil
        #endif
    }

    /// Returns a descriptor that becomes readable when `CLOCK_REALTIME` reaches a time, also if it
    /// passes the time by a sleep or by a change of the clock.
    ///
    /// - Parameter milliseconds: The time since 1970.
    package static func wallClock(reaches milliseconds: Int64) throws(PlatformError) -> Descriptor {
        #if os(Linux)
            try timer(CLOCK_REALTIME, milliseconds, absoluteTime)
        #else
            throw PlatformError("timerfd_create", code: .notImplemented)
        #endif
    }

    /// Becomes readable after a time on the boot-time clock.
    package static func elapsed(milliseconds: Int64) throws(PlatformError) -> Descriptor {
        #if os(Linux)
            try timer(CLOCK_BOOTTIME, milliseconds, 0)
        #else
            throw PlatformError("timerfd_create", code: .notImplemented)
        #endif
    }

    #if os(Linux)
        /// `TFD_TIMER_ABSTIME`
        private static let absoluteTime: Int32 = 1

        private static func timer(
            _ clock: Int32, _ milliseconds: Int64, _ flags: Int32
        ) throws(PlatformError) -> Descriptor {
            let file = waiting_timer(clock, O_CLOEXEC)
            guard file >= 0 else { throw .last("timerfd_create") }
            var time = waiting_time()
            // Zero would switch it off.
            let span = max(milliseconds, 1)
            (time.seconds, time.nanoseconds) = (Int(span / 1000), Int(span % 1000) * 1_000_000)
            guard waiting_timer_set(file, flags, &time, nil) == 0 else {
                let error = PlatformError.last("timerfd_settime")
                close(file)
                throw error
            }
            return Descriptor(rawValue: file)
        }
    #endif
}

/// Signals that a thread blocks: they wait in the kernel until they are read.
package struct BlockedSignals {
    private var set = sigset_t()

    package init(_ signals: [ProcessSignal]) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.rawValue) }
    }

    package mutating func block() { pthread_sigmask(SIG_BLOCK, &set, nil) }
    package mutating func unblock() { pthread_sigmask(SIG_UNBLOCK, &set, nil) }

    /// Blocks no signal any more.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    #if os(Linux)
        /// Becomes readable when one of them waits (signalfd(2)).
        package mutating func descriptor() throws(PlatformError) -> Descriptor {
            let file = waiting_signals(-1, &set, O_CLOEXEC)
            guard file >= 0 else { throw .last("signalfd") }
            return Descriptor(rawValue: file)
        }

        /// The signal that waits in a ``descriptor()``.
        package static func next(_ file: Descriptor) -> ProcessSignal? {
            // `struct signalfd_siginfo` is 128 bytes and begins with the number.
            guard let bytes = try? file.read(atMost: 128), bytes.count == 128 else { return nil }
            return ProcessSignal(
                rawValue: bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) })
        }
    #endif
}
