// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor. Its owner closes it; copies share the number.
package struct Descriptor: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let standardInput = Descriptor(rawValue: STDIN_FILENO)
    package static let standardOutput = Descriptor(rawValue: STDOUT_FILENO)
    package static let standardError = Descriptor(rawValue: STDERR_FILENO)

    /// How a file is opened. Programs that are started later never inherit the descriptor.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Reads; also without this option, where ``write`` is missing.
        package static let read = Options(rawValue: 1)
        package static let write = Options(rawValue: 2)
        /// Creates the file if it is missing.
        package static let create = Options(rawValue: 4)
        /// With ``create``: fails if the file exists.
        package static let exclusive = Options(rawValue: 8)
        /// Returns at once, and so do reads and writes.
        package static let nonBlocking = Options(rawValue: 16)
        /// Fails for a symbolic link (`ELOOP`).
        package static let noLinks = Options(rawValue: 32)
        /// A terminal does not become the controlling one of this process.
        package static let noControl = Options(rawValue: 64)

        fileprivate var flags: Int32 {
            let access =
                contains(.write) ? (contains(.read) ? O_RDWR : O_WRONLY) : O_RDONLY
            return access | O_CLOEXEC | (contains(.create) ? O_CREAT : 0)
                | (contains(.exclusive) ? O_EXCL : 0) | (contains(.nonBlocking) ? O_NONBLOCK : 0)
                | (contains(.noLinks) ? O_NOFOLLOW : 0) | (contains(.noControl) ? O_NOCTTY : 0)
        }
    }

    /// - Parameter mode: Of a file that is created; the umask applies.
    package static func open(
        _ path: String, _ options: Options = .read, mode: UInt32 = 0o600
    ) throws(PlatformError) -> Descriptor {
        let file = openFile(path, options.flags, mode_t(mode))
        guard file >= 0 else { throw .last("open", path) }
        return Descriptor(rawValue: file)
    }

    package func close() { _ = closeFile(rawValue) }

    /// The two ends of a pipe. Programs that are started later do not inherit them.
    package static func pipe() throws(PlatformError) -> (reader: Descriptor, writer: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard makePipe(&ends) == 0 else { throw .last("pipe") }
        let (reader, writer) = (Descriptor(rawValue: ends[0]), Descriptor(rawValue: ends[1]))
        reader.isInherited = false
        writer.isInherited = false
        return (reader, writer)
    }

    /// A copy with the least free number from `least`, which programs do not inherit.
    package func duplicate(from least: Int32) throws(PlatformError) -> Descriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, least)
        guard copy >= 0 else { throw .last("fcntl") }
        return Descriptor(rawValue: copy)
    }

    package var isOpen: Bool { fcntl(rawValue, F_GETFD) >= 0 }

    /// Whether programs that this process becomes or starts have it open (`FD_CLOEXEC` otherwise).
    package var isInherited: Bool {
        get { fcntl(rawValue, F_GETFD) & FD_CLOEXEC == 0 }
        nonmutating set { _ = fcntl(rawValue, F_SETFD, newValue ? 0 : FD_CLOEXEC) }
    }

    /// Whether reads and writes return at once.
    package var isNonBlocking: Bool {
        get { fcntl(rawValue, F_GETFL) & O_NONBLOCK != 0 }
        nonmutating set {
            let flags = fcntl(rawValue, F_GETFL)
            _ = fcntl(rawValue, F_SETFL, newValue ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)
        }
    }

    /// The descriptors of this process that are open now.
    package static func allOpen() throws(PlatformError) -> [Descriptor] {
        let names: [String]
        do throws(PlatformError) { names = try Directory.names(in: "/proc/self/fd") } catch {
            names = try Directory.names(in: "/dev/fd")
        }
        return names.compactMap { Int32($0) }.map(Descriptor.init(rawValue:))
    }

    /// Locks the file for this process unless another one holds the lock (flock(2)); whether it
    /// did.
    package func lock() throws(PlatformError) -> Bool {
        if flock(rawValue, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .last("flock") }
        return false
    }
}

private let openFile: @Sendable (String, Int32, mode_t) -> Int32 = { path, flags, mode in
    retryingInterrupts { open(path, flags, mode) }
}
private let closeFile: @Sendable (Int32) -> Int32 = { close($0) }
private let makePipe: @Sendable (UnsafeMutablePointer<Int32>) -> Int32 = { pipe($0) }
