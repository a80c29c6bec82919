// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Process and user at the other end of a Unix socket, from the kernel (`SO_PEERCRED`).
///
/// The layout is that of Linux's `struct ucred`, so that it can be read as a socket option.
package struct PeerCredentials: Sendable, Equatable {
    package var process: Int32 = 0
    package var user: UInt32 = 0
    package var group: UInt32 = 0

    package init() {}

    #if os(Linux)
        /// The socket option that has this value; `nil` where the system has none.
        package static let option: Int32? = SO_PEERCRED
    #else
        package static let option: Int32? = nil
    #endif

    /// `SO_PEERPIDFD` of Linux 6.5, which not all headers have: a descriptor of the process. The
    /// caller closes it.
    package static let processDescriptorOption: Int32 = 77

    /// The program of a process; `nil` if it is not known, as after its end.
    package static func program(of process: Int32) -> String? {
        try? FileSystem.target(ofLink: "/proc/\(process)/exe")
    }

    /// Whether the process of a process descriptor still runs: it is readable after the end.
    package static func isRunning(_ process: Descriptor) -> Bool {
        (try? process.wait(for: .readable, milliseconds: 0)) == []
    }
}
