// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a descriptor is ready for (poll(2)).
package struct PollEvents: OptionSet, Sendable, Hashable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = PollEvents(rawValue: Int16(POLLIN))
    package static let writable = PollEvents(rawValue: Int16(POLLOUT))
    package static let hangUp = PollEvents(rawValue: Int16(POLLHUP))
    package static let error = PollEvents(rawValue: Int16(POLLERR))
    package static let invalid = PollEvents(rawValue: Int16(POLLNVAL))
}

/// Descriptors that one thread waits for.
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    /// - Parameter events: For all of them; a negative descriptor is never ready.
    package init(_ files: [Descriptor], for events: PollEvents) {
        for file in files { append(file, for: events) }
    }

    package mutating func append(_ file: Descriptor, for events: PollEvents) {
        entries.append(pollfd(fd: file.rawValue, events: events.rawValue, revents: 0))
    }

    package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// The events of the descriptor at that position, after ``wait(milliseconds:)``.
    package subscript(index: Int) -> PollEvents { PollEvents(rawValue: entries[index].revents) }

    /// Waits until a descriptor is ready or has ended; `false` if none is in time.
    ///
    /// - Parameter milliseconds: Negative to wait without a limit. Signals do not extend it.
    package mutating func wait(milliseconds: Int64 = -1) throws(PlatformError) -> Bool {
        let start = milliseconds > 0 ? MachineClock.monotonicMilliseconds : 0
        var left = milliseconds
        while true {
            let count = poll(&entries, numericCast(entries.count), Int32(clamping: left))
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw .last("poll") }
            if left > 0 {
                left = max(0, milliseconds - (MachineClock.monotonicMilliseconds - start))
            }
        }
    }
}

extension Descriptor {
    /// Waits for one descriptor; the events are empty if it is not ready in time.
    package func wait(
        for events: PollEvents, milliseconds: Int64 = -1
    ) throws(PlatformError) -> PollEvents {
        var files = PollSet([self], for: events)
        return try files.wait(milliseconds: milliseconds) ? files[0] : []
    }
}
