// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

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

    private let descriptor: Descriptor
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
        descriptor: Descriptor, framing: Framing, clock: any MonotonicClock,
        thread chosen: AuthenticatorThread? = nil
    ) throws(TransportError) {
        let thread: AuthenticatorThread
        do throws(PlatformError) {
            thread = if let chosen { chosen } else { try .ofClients() }
        } catch {
            descriptor.close()
            throw TransportError(error)
        }
        descriptor.isInherited = false
        descriptor.isNonBlocking = true
        self.descriptor = descriptor
        self.framing = framing
        self.clock = clock
        let kind = UnixSocket.kind(of: descriptor)
        (isSocket, isByteStream) = (kind != nil, kind == .stream)
        (arrival, room) = (ThreadWait(on: thread), ThreadWait(on: thread))
    }

    deinit { close() }

    /// Must not be called while a task reads or writes.
    package func close() {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        if !wasClosed { descriptor.close() }
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
            let written = rest.withUnsafeBytes { buffer in
                Result { () throws(PlatformError) in try send(buffer) }
            }
            do throws(PlatformError) { rest = rest.dropFirst(try written.get()) } catch {
                guard error.code == .wouldBlock else { throw Self.failure(error.code) }
                let event = try await wait(room, for: .writable, until: deadline)
                guard event == .ready else { throw .timedOut }
            }
        }
    }

    /// A closed peer results in an error, not in a signal.
    private func send(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) -> Int {
        isSocket ? try descriptor.send(bytes) : try descriptor.write(bytes)
    }

    // MARK: Reading

    package func read(until deadline: Int64) async throws(TransportError) -> ReportEvent {
        while true {
            try checkOpen()
            if let report = nextReport() { return .report(report) }
            switch try await wait(arrival, for: .readable, until: deadline) {
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
        let bytes: [UInt8]
        do throws(PlatformError) {
            bytes = try descriptor.read(atMost: isByteStream ? Self.portion : missing)
        } catch {
            if error.code == .wouldBlock { return }
            throw Self.failure(error.code)
        }
        if bytes.isEmpty { throw .removed }
        pending.withLock { $0 += bytes }
    }

    private enum Readiness { case ready, woken, timedOut }

    private func wait(
        _ place: ThreadWait, for events: PollEvents, until deadline: Int64
    ) async throws(TransportError) -> Readiness {
        while true {
            let left = deadline - clock.milliseconds
            guard left > 0 else { return .timedOut }
            switch await place.wait(for: (descriptor.rawValue, events.rawValue), milliseconds: left)
            {
            case .ready(let happened) where !events.isDisjoint(with: PollEvents(rawValue: happened)):
                return .ready
            case .ready: throw .removed
            case .woken: return .woken
            case .timedOut: continue
            }
        }
    }

    /// What an `errno` of a device says.
    static func failure(_ code: Errno) -> TransportError {
        switch code {
        case .inputOutput, .noDevice, .noDeviceOrAddress, .brokenPipe, .connectionReset, .notFound,
            .shutDown:
            .removed
        case .accessDenied, .notPermitted: .accessDenied
        case .busy: .busy
        default: .system(Int64(code.rawValue))
        }
    }
}
