// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reports over a file descriptor: a hidraw device, a pseudo-terminal, or a socket.
package final class FileReportStream: ReportStream {
    /// The encoding of a report when it is written.
    package enum Framing: Sendable {
        /// A report number of zero in front, 65 bytes: hidraw requires it (Linux, hidraw.rst), and
        /// libfido2 writes it to every device path. Streams have it as well.
        case numbered
        /// The 64 bytes alone: sockets that preserve packets.
        case plain
    }

    /// The maximum time for writing one report, in milliseconds.
    private static let writeLimit: Int64 = 5000

    private let descriptor: Int32
    private let framing: Framing
    private let isSocket: Bool
    /// Whether reports follow one another without borders: then many of them go in one call.
    private let isByteStream: Bool
    private let clock: any MonotonicClock
    /// The waits for reading, which other threads may end, and for writing, which they may not.
    private let (arrival, room): (ThreadWait, ThreadWait)
    /// Bytes that were received and not yet read: complete reports of a byte stream, and parts of
    /// one.
    private let pending = Mutex<[UInt8]>([])
    /// The number of bytes of a stream that are read at once: longer than most messages, and
    /// small enough for the stack.
    private static let portion = 1024
    private let isClosed = Mutex(false)

    /// Takes over `descriptor`, which is closed with the stream.
    ///
    /// - Parameter thread: Where reports are waited for; `nil` for the thread of all clients.
    package init(
        descriptor: Int32, framing: Framing, clock: any MonotonicClock,
        thread chosen: AuthenticatorThread? = nil
    ) throws(TransportError) {
        let thread: AuthenticatorThread
        do throws(ThreadCreationError) {
            thread = if let chosen { chosen } else { try .ofClients() }
        } catch {
            Self.closeDescriptor(descriptor)
            throw TransportError(error)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.descriptor = descriptor
        self.framing = framing
        self.clock = clock
        var (type, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        isSocket = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
        isByteStream = isSocket && type == UnixSocket.stream
        (arrival, room) = (ThreadWait(on: thread), ThreadWait(on: thread))
    }

    deinit { close() }

    private static func closeDescriptor(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// Must not be called while a task reads or writes.
    package func close() {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        if !wasClosed { Self.closeDescriptor(descriptor) }
    }

    package func wake() { arrival.wake() }

    private func checkOpen() throws(TransportError) {
        if isClosed.withLock({ $0 }) { throw .closed }
    }

    // MARK: Writing

    package func write(_ report: [UInt8]) async throws(TransportError) {
        try await write(bytes: framing == .numbered ? [0] + report : report)
    }

    package func write(all reports: [[UInt8]]) async throws(TransportError) {
        guard isByteStream else {
            for report in reports { try await write(report) }
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reports.count * (1 + CTAPHIDPacket.reportLength))
        for report in reports {
            if framing == .numbered { bytes.append(0) }
            bytes += report
        }
        try await write(bytes: bytes)
    }

    private func write(bytes: [UInt8]) async throws(TransportError) {
        try checkOpen()
        var rest = bytes[...]
        let deadline = clock.milliseconds + Self.writeLimit
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send($0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno == EAGAIN || errno == EWOULDBLOCK {
                let event = try await wait(room, for: Int16(POLLOUT), until: deadline)
                guard event == .ready else { throw .timedOut }
            } else if errno != EINTR {
                throw Self.failure(errno)
            }
        }
    }

    /// Sends bytes to the socket. A disconnected peer causes an error instead of a signal.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isSocket else {
            return systemWrite(descriptor, bytes.baseAddress, bytes.count)
        }
        #if canImport(Darwin)
            return Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Musl)
            return Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
            return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    private func systemWrite(
        _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
            return Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
            return Musl.write(descriptor, bytes, count)
        #else
            return Darwin.write(descriptor, bytes, count)
        #endif
    }

    // MARK: Reading

    package func read(until deadline: Int64) async throws(TransportError) -> ReportEvent {
        while true {
            try checkOpen()
            if let report = nextReport() { return .report(report) }
            switch try await wait(arrival, for: Int16(POLLIN), until: deadline) {
            case .timedOut: return .timedOut
            case .woken: return .woken
            case .ready: try readAvailable()
            }
        }
    }

    /// Returns the first received report if it is complete.
    private func nextReport() -> [UInt8]? {
        pending.withLock { pending in
            guard pending.count >= CTAPHIDPacket.reportLength else { return nil }
            defer { pending.removeFirst(CTAPHIDPacket.reportLength) }
            return Array(pending.prefix(CTAPHIDPacket.reportLength))
        }
    }

    private func readAvailable() throws(TransportError) {
        let missing = CTAPHIDPacket.reportLength - pending.withLock { $0.count }
        let count = withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: isByteStream ? Self.portion : missing
        ) { buffer in
            let count = systemRead(descriptor, UnsafeMutableRawBufferPointer(buffer))
            if count > 0 { pending.withLock { $0 += buffer[..<count] } }
            return count
        }
        if count == 0 { throw .removed }
        if count < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return }
            throw Self.failure(errno)
        }
    }

    private func systemRead(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        #if canImport(Glibc)
            return Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            return Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            return Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private enum Readiness { case ready, woken, timedOut }

    private func wait(
        _ place: ThreadWait, for events: Int16, until deadline: Int64
    ) async throws(TransportError) -> Readiness {
        while true {
            let left = deadline - clock.milliseconds
            guard left > 0 else { return .timedOut }
            switch await place.wait(for: (descriptor, events), milliseconds: left) {
            case .ready(let happened) where happened & events != 0: return .ready
            case .ready: throw .removed
            case .woken: return .woken
            case .timedOut: continue
            }
        }
    }

    /// Converts an `errno` of a device.
    static func failure(_ code: Int32) -> TransportError {
        switch code {
        case EIO, ENODEV, ENXIO, EPIPE, ECONNRESET, ENOENT, ESHUTDOWN: .removed
        case EACCES, EPERM: .accessDenied
        case EBUSY: .busy
        default: .system(Int64(code))
        }
    }
}
