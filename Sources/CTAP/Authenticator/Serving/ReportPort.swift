// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor that transports HID reports of 64 bytes.
///
/// Its calls block; only the serving thread makes them.
struct ReportPort {
    enum Framing {
        /// A pty, used as a hidraw device is: what arrives has the report number 0 in front.
        case numbered
        /// A stream socket: reports follow one another, without number.
        case plain
        /// A packet socket: one report in each packet, with or without its number.
        case packets
    }

    let file: Int32
    let framing: Framing
    /// The other end of a pty. It remains open, so that a client may reconnect.
    private var terminal: Int32?
    private let path: String?
    private var chunk = [UInt8](repeating: 0, count: 4096)
    private var buffer: [UInt8] = []
    private var lastRead: Timestamp?

    init(file: Int32, framing: Framing) {
        (self.file, self.framing, terminal, path) = (file, framing, nil, nil)
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    }

    init(_ pseudoTerminal: PseudoTerminal) {
        (file, framing) = (pseudoTerminal.controller, .numbered)
        (terminal, path) = (pseudoTerminal.terminal, pseudoTerminal.path)
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    }

    /// Returns the complete reports that can be read now; `nil` if the peer has disconnected.
    ///
    /// An incomplete report is dropped after half a second, because its writer has ended.
    mutating func read(at now: Timestamp) -> [[UInt8]]? {
        if framing == .packets { return packets() }
        let count = readChunk()
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        if count == 0 { return nil }
        if let lastRead, now - lastRead > CTAPHIDDevice.packetTimeout { buffer = [] }
        lastRead = now
        buffer += chunk[..<count]
        return framing == .plain ? plainReports() : numberedReports()
    }

    private mutating func readChunk() -> Int {
        chunk.withUnsafeMutableBytes { [file] in Self.read(file, $0.baseAddress, $0.count) }
    }

    /// All packets that wait, as many as the longest message has.
    private mutating func packets() -> [[UInt8]]? {
        var reports: [[UInt8]] = []
        while reports.count < 129 {
            let count = readChunk()
            if count > 0 {
                reports.append(Array(chunk[..<count].suffix(64)))
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return reports
            } else {
                return reports.isEmpty ? nil : reports
            }
        }
        return reports
    }

    private mutating func plainReports() -> [[UInt8]] {
        var reports: [[UInt8]] = []
        while buffer.count >= 64 {
            reports.append(Array(buffer.prefix(64)))
            buffer.removeFirst(64)
        }
        return reports
    }

    private mutating func numberedReports() -> [[UInt8]] {
        var reports: [[UInt8]] = []
        while buffer.count >= 65 {
            // Whatever is not a report number is the rest of something that was cut: skip it.
            if buffer[0] == 0 {
                reports.append(Array(buffer[1..<65]))
                buffer.removeFirst(65)
            } else {
                buffer.removeFirst()
            }
        }
        return reports
    }

    /// Writes the reports of one message, in one call if the framing permits. Returns `false` if
    /// the peer reads nothing for two seconds; the remaining reports are then dropped.
    func write(_ reports: [[UInt8]]) -> Bool {
        if framing == .packets { return reports.allSatisfy { write(bytes: $0) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reports.count * CTAPHIDPacket.reportLength)
        for report in reports { bytes += report }
        return write(bytes: bytes)
    }

    private func write(bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
            var descriptor = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            guard poll(&descriptor, 1, 2000) > 0 else { return false }
        }
        return true
    }

    /// Returns whether the peer, which has disconnected, may reconnect.
    mutating func recover() -> Bool {
        guard let path, let old = terminal else { return false }
        close(old)
        terminal = PseudoTerminal.reopen(path)
        buffer = []
        return terminal != nil
    }

    /// Throws away what was written and not yet read.
    func discardUnread() {
        if let terminal { tcflush(terminal, TCIFLUSH) }
    }

    func closeAll() {
        close(file)
        if let terminal { close(terminal) }
    }

    private static func read(
        _ file: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
            Glibc.read(file, base, count)
        #elseif canImport(Musl)
            Musl.read(file, base, count)
        #else
            Darwin.read(file, base, count)
        #endif
    }

    private func systemWrite(_ file: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, base, count)
        #elseif canImport(Musl)
            Musl.write(file, base, count)
        #else
            Darwin.write(file, base, count)
        #endif
    }
}
