// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives

/// A file descriptor over which HID reports of 64 bytes come and go.
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

    let file: Descriptor
    let framing: Framing
    /// The other end of a pty, kept open so that a client may come and go.
    private var terminal: Descriptor?
    private let path: String?
    private static let portion = 4096
    private var buffer: [UInt8] = []
    private var lastRead: Timestamp?

    init(file: Descriptor, framing: Framing) {
        (self.file, self.framing, terminal, path) = (file, framing, nil, nil)
        file.isNonBlocking = true
    }

    init(_ pseudoTerminal: PseudoTerminal) {
        (file, framing) = (pseudoTerminal.controller, .numbered)
        (terminal, path) = (pseudoTerminal.terminal, pseudoTerminal.path)
        file.isNonBlocking = true
    }

    /// Returns the complete reports that can be read now; `nil` if the peer has disconnected.
    ///
    /// An incomplete report is dropped after half a second, because its writer has ended.
    mutating func read(at now: Timestamp) -> [[UInt8]]? {
        if framing == .packets { return packets() }
        let chunk: [UInt8]
        do throws(PlatformError) { chunk = try file.read(atMost: Self.portion) } catch {
            return error.code == .wouldBlock ? [] : nil
        }
        if chunk.isEmpty { return nil }
        if let lastRead, now - lastRead > CTAPHIDDevice.packetTimeout { buffer = [] }
        lastRead = now
        buffer += chunk
        return framing == .plain ? plainReports() : numberedReports()
    }

    /// All packets that wait, as many as the longest message has.
    private func packets() -> [[UInt8]]? {
        var reports: [[UInt8]] = []
        while reports.count < 129 {
            do throws(PlatformError) {
                let packet = try file.read(atMost: Self.portion)
                guard !packet.isEmpty else { return reports.isEmpty ? nil : reports }
                reports.append(packet.suffix(64))
            } catch {
                return error.code == .wouldBlock || !reports.isEmpty ? reports : nil
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
            do {
                let count = try rest.withUnsafeBytes { try file.write($0) }
                rest = rest.dropFirst(count)
            } catch let error as PlatformError where error.code == .wouldBlock {
                let events = try? file.wait(for: .writable, milliseconds: 2000)
                guard events?.isEmpty == false else { return false }
            } catch { return false }
        }
        return true
    }

    /// Returns whether the peer, which has disconnected, may reconnect.
    mutating func recover() -> Bool {
        guard let path, let old = terminal else { return false }
        old.close()
        terminal = PseudoTerminal.reopen(path)
        buffer = []
        return terminal != nil
    }

    /// Throws away what was written and not yet read.
    func discardUnread() {
        if let terminal { terminal.discardInput() }
    }

    func closeAll() {
        file.close()
        terminal?.close()
    }
}
