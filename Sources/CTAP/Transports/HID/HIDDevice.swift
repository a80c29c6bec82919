// SPDX-License-Identifier: Apache-2.0
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A key at a path: a hidraw device, a pseudo-terminal, or a Unix socket.
package struct HIDDevice: AuthenticatorDevice {
    package let description: AuthenticatorDescription
    private let path: String
    private let clock: any MonotonicClock
    private let random: any RandomSource

    /// - Parameter name: What the device calls itself.
    package init(
        path: String, kind: AuthenticatorDescription.Kind, name: String = "",
        clock: any MonotonicClock = SystemMonotonicClock(), random: any RandomSource
    ) {
        self.path = path
        self.clock = clock
        self.random = random
        description = AuthenticatorDescription(id: path, kind: kind, name: name)
    }

    package func open() async throws(TransportError) -> any AuthenticatorTransport {
        let stream = try openStream()
        return try await HIDTransport(stream, clock: clock, random: random)
    }

    /// Opening does not wait: devices and sockets answer at once or not at all.
    private func openStream() throws(TransportError) -> FileReportStream {
        let descriptor = systemOpen()
        // A socket cannot be opened, and `open` fails; `stat` would require Foundation in release
        // builds.
        if descriptor < 0, errno == ENXIO || errno == EOPNOTSUPP {
            let (descriptor, framing) = try UnixSocket.connect(path)
            return try FileReportStream(descriptor: descriptor, framing: framing, clock: clock)
        }
        guard descriptor >= 0 else { throw FileReportStream.failure(errno) }
        let stream = try FileReportStream(
            descriptor: descriptor, framing: .numbered, clock: clock)
        // The same lock as in libfido2: the next program that opens the device waits or receives an
        // error. The lock is released with the descriptor.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy : .system(Int64(errno))
        }
        if isatty(descriptor) == 1 { Self.makeRaw(descriptor) }
        return stream
    }

    private func systemOpen() -> Int32 {
        #if canImport(Glibc)
            return Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        #elseif canImport(Musl)
            return Musl.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        #else
            return Darwin.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        #endif
    }

    /// Sets the raw mode, in which a terminal does not change bytes.
    private static func makeRaw(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        _ = tcsetattr(descriptor, TCSANOW, &settings)
    }
}
