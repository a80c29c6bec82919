// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An error number of the operating system (errno(3)).
package struct Errno: RawRepresentable, Error, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The number that the last failed call of this thread left.
    static var current: Errno { Errno(rawValue: errno) }

    package static let accessDenied = Errno(rawValue: EACCES)
    package static let addressInUse = Errno(rawValue: EADDRINUSE)
    package static let addressNotAvailable = Errno(rawValue: EADDRNOTAVAIL)
    package static let brokenPipe = Errno(rawValue: EPIPE)
    package static let busy = Errno(rawValue: EBUSY)
    package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
    package static let connectionReset = Errno(rawValue: ECONNRESET)
    package static let exists = Errno(rawValue: EEXIST)
    package static let hostUnreachable = Errno(rawValue: EHOSTUNREACH)
    package static let interrupted = Errno(rawValue: EINTR)
    package static let invalidArgument = Errno(rawValue: EINVAL)
    package static let inputOutput = Errno(rawValue: EIO)
    package static let isDirectory = Errno(rawValue: EISDIR)
    package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
    package static let networkUnreachable = Errno(rawValue: ENETUNREACH)
    package static let noDevice = Errno(rawValue: ENODEV)
    package static let noDeviceOrAddress = Errno(rawValue: ENXIO)
    package static let noSpace = Errno(rawValue: ENOSPC)
    package static let notADirectory = Errno(rawValue: ENOTDIR)
    package static let notATerminal = Errno(rawValue: ENOTTY)
    package static let notFound = Errno(rawValue: ENOENT)
    package static let notPermitted = Errno(rawValue: EPERM)
    package static let notSupported = Errno(rawValue: EOPNOTSUPP)
    package static let notImplemented = Errno(rawValue: ENOSYS)
    package static let readOnlyFileSystem = Errno(rawValue: EROFS)
    package static let shutDown = Errno(rawValue: ESHUTDOWN)
    package static let timedOut = Errno(rawValue: ETIMEDOUT)
    package static let tooManyLinks = Errno(rawValue: ELOOP)
    package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)
    package static let wrongProtocolType = Errno(rawValue: EPROTOTYPE)
}

extension Errno: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int32) { self.init(rawValue: number) }
}

extension Errno: CustomStringConvertible {
    /// The text of strerror(3).
    package var description: String { String(cString: strerror(rawValue)) }
}

/// A system call that failed.
package struct PlatformError: Error, Sendable, Hashable {
    /// `rename`
    package let call: String
    /// The file; empty for calls without one.
    package let path: String
    package let code: Errno

    package init(_ call: String, _ path: String = "", code: Errno) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// The error that the last call of this thread left.
    static func last(_ call: String, _ path: String = "") -> PlatformError {
        PlatformError(call, path, code: .current)
    }
}

extension PlatformError: CustomStringConvertible {
    /// `rename a: No such file or directory`
    package var description: String {
        path.isEmpty ? "\(call): \(code)" : "\(call) \(path): \(code)"
    }
}

/// Repeats a call while a signal interrupts it.
func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// The text before the first zero.
func text(_ characters: some Sequence<CChar>) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
