// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor over which HID reports come and go, as over a hidraw device: what arrives has
/// the report number 0 in front (65 bytes), what leaves has not (64 bytes).
///
/// Its calls block; only the thread that serves makes them.
struct ReportPort {
    enum Framing {
        /// A pty or a stream socket: reports follow one another without borders.
        case stream
        /// A packet socket: one report in each packet, with or without its number.
        case packets
    }

    let file: Int32
    let framing: Framing
    /// The other end of a pty, kept open so that a client may come and go.
    private var terminal: Int32?
    private let path: String?
    private var buffer: [UInt8] = []

    init(file: Int32, framing: Framing) {
        (self.file, self.framing, terminal, path) = (file, framing, nil, nil)
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    }

    init(_ pseudoTerminal: PseudoTerminal) {
        (file, framing) = (pseudoTerminal.controller, .stream)
        (terminal, path) = (pseudoTerminal.terminal, pseudoTerminal.path)
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    }

    /// Whether part of a report has come, and not yet the rest.
    var holdsPart: Bool { !buffer.isEmpty }

    /// A part whose rest never came: its writer died.
    mutating func dropPart() { buffer = [] }

    /// The whole reports that can be read now; `nil` when the other side has gone.
    mutating func read() -> [[UInt8]]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = chunk.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        if count == 0 { return nil }
        if framing == .packets { return [Array(chunk[..<count].suffix(64))] }
        buffer += chunk[..<count]
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

    /// Writes one report; `false` when nobody takes it for two seconds.
    func write(_ report: [UInt8]) -> Bool {
        var rest = report[...]
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

    /// Whether the other side, which has gone, may come back.
    mutating func recover() -> Bool {
        guard let path, let old = terminal else { return false }
        close(old)
        terminal = PseudoTerminal.reopen(path)
        buffer = []
        return terminal != nil
    }

    /// Throws away what was written and not yet read.
    func forgetUnread() {
        if let terminal { tcflush(terminal, TCIFLUSH) }
    }

    func closeAll() {
        close(file)
        if let terminal { close(terminal) }
    }

    private func systemRead(_ file: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
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
