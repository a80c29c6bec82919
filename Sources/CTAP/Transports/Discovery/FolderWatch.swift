// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells when names in a folder come, go, or change their permissions, by inotify(7): udev makes a
/// device file first and lets people open it a moment later.
///
/// Waits on a thread of its own; there is no polling.
package final class FolderWatch: Sendable {
    #if os(Linux)
        /// The write end of a pipe; closing it ends the watch.
        private let alarm: Mutex<Int32?>

        /// `nil` when the system refuses; then there is nothing to be told.
        ///
        /// - Parameters:
        ///   - others: Further folders, as far as they are there.
        ///   - includingContent: Whether files that somebody wrote to count as well; in `/dev`, where
        ///     everybody writes all the time, they must not.
        ///   - changed: Called on the watch's thread with the names that have changed.
        package init?(
            _ path: String, and others: [String] = [], includingContent: Bool = false,
            changed: @escaping @Sendable ([String]) -> Void
        ) {
            let inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            let names = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO
            let mask = UInt32(includingContent ? names | IN_CLOSE_WRITE : names)
            var ends: [Int32] = [-1, -1]
            guard inotify >= 0, inotify_add_watch(inotify, path, mask) >= 0, pipe(&ends) == 0
            else {
                if inotify >= 0 { close(inotify) }
                return nil
            }
            for other in others { _ = inotify_add_watch(inotify, other, mask) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            alarm = Mutex(ends[1])
            do {
                try BackgroundThread.start(niceness: 0) { [end = ends[0]] in
                    while let names = Self.wait(inotify, end) {
                        if !names.isEmpty { changed(names) }
                    }
                    close(inotify)
                    close(end)
                }
            } catch {
                for file in [inotify, ends[0], ends[1]] { close(file) }
                return nil
            }
        }

        deinit { stop() }

        package func stop() {
            alarm.withLock { alarm in
                if let end = alarm { close(end) }
                alarm = nil
            }
        }

        /// Names that have changed; `nil` when the watch is over.
        private static func wait(_ inotify: Int32, _ alarm: Int32) -> [String]? {
            var descriptors = [
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, 2, -1) >= 0 else { return errno == EINTR ? [] : nil }
            guard descriptors[1].revents == 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 16384)
            let count = read(inotify, &buffer, buffer.count)
            guard count > 0 else { return errno == EAGAIN || errno == EINTR ? [] : nil }
            return names(in: buffer[..<count])
        }

        /// `struct inotify_event`: watch, mask, cookie, length of the name, name.
        private static func names(in events: ArraySlice<UInt8>) -> [String] {
            var names: [String] = []
            var rest = events
            while rest.count >= 16 {
                let length = rest.dropFirst(12).prefix(4).reversed()
                    .reduce(0) { $0 << 8 | Int($1) }
                let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
                names.append(String(decoding: name, as: UTF8.self))
                rest = rest.dropFirst(16 + length)
            }
            return names
        }
    #else
        package init?(
            _ path: String, and others: [String] = [], includingContent: Bool = false,
            changed: @escaping @Sendable ([String]) -> Void
        ) {
            return nil
        }

        package func stop() {}
    #endif
}
