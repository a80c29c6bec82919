// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
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
}
