// SPDX-License-Identifier: Apache-2.0

/// Reports when names in a directory are created, removed or change their permissions, by
/// inotify(7): udev creates a device file first and opens it to users a moment later.
///
/// Waits on its own thread; it does not poll.
package final class FolderWatch: Sendable {
    private let alarm: WakePipe

    /// `nil` if the system refuses; then nothing is reported.
    ///
    /// - Parameters:
    ///   - others: Further directories, if they exist.
    ///   - includingContent: Whether also files that were written; not useful in `/dev`, where
    ///     writes are frequent.
    ///   - changed: Called on the watch's thread with the names that have changed.
    package init?(
        _ path: String, and others: [String] = [], includingContent: Bool = false,
        changed: @escaping @Sendable ([String]) -> Void
    ) {
        guard let alarm = try? WakePipe(),
            let events = EventDescriptor.changes(
                in: path, and: others, includingContent: includingContent, isNonBlocking: true)
        else { return nil }
        self.alarm = alarm
        do {
            try BackgroundThread.start(niceness: 0) {
                defer { events.close() }
                while let names = Self.wait(events, alarm) {
                    if !names.isEmpty { changed(names) }
                }
            }
        } catch {
            events.close()
            return nil
        }
    }

    deinit { stop() }

    package func stop() { alarm.wake() }

    /// Names that have changed; `nil` when the watch has ended.
    private static func wait(_ events: Descriptor, _ alarm: WakePipe) -> [String]? {
        var files = PollSet([events, alarm.reader], for: .readable)
        guard (try? files.wait()) != nil, files[1].isEmpty else { return nil }
        do throws(PlatformError) {
            let bytes = try events.read(atMost: 16_384)
            return bytes.isEmpty ? nil : names(in: bytes[...])
        } catch {
            return error.code == .wouldBlock ? [] : nil
        }
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
}
