// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

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
        let descriptor: Descriptor
        do throws(PlatformError) {
            descriptor = try Descriptor.open(path, [.read, .write, .nonBlocking, .noControl])
        } catch {
            // A socket cannot be opened.
            guard [.noDeviceOrAddress, .notSupported].contains(error.code) else {
                throw FileReportStream.failure(error.code)
            }
            let (descriptor, framing) = try ReportSocket.connect(path)
            return try FileReportStream(descriptor: descriptor, framing: framing, clock: clock)
        }
        let stream = try FileReportStream(
            descriptor: descriptor, framing: .numbered, clock: clock)
        // As libfido2 does: the next process that opens the device waits or is told. The lock ends
        // with the descriptor.
        do throws(PlatformError) {
            guard try descriptor.lock() else { throw PlatformError("flock", code: .busy) }
        } catch { throw FileReportStream.failure(error.code) }
        // A terminal passes bytes on unchanged only in raw mode.
        try? TerminalModes(of: descriptor)?.raw.apply(to: descriptor)
        return stream
    }
}
