// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pair of terminals in raw mode. Programs open its path as they open a hidraw device.
///
/// A terminal buffers 4,095 bytes and truncates a report that exceeds them, which readers of hidraw
/// devices do not expect. Every CTAP message is far shorter; only a PING of more than 3,600 bytes
/// to a slow reader is not.
struct PseudoTerminal {
    let controller: Int32
    let terminal: Int32
    /// For example `/dev/pts/3`.
    let path: String

    init() throws(ServingError) {
        var (controller, terminal): (Int32, Int32) = (-1, -1)
        guard openpty(&controller, &terminal, nil, nil, nil) == 0 else {
            throw .system(call: "openpty", code: errno)
        }
        for file in [controller, terminal] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        do throws(ServingError) {
            path = try Self.path(of: terminal)
            try Self.makeRaw(terminal)
        } catch {
            close(controller)
            close(terminal)
            throw error
        }
        (self.controller, self.terminal) = (controller, terminal)
    }

    private static func path(of terminal: Int32) throws(ServingError) -> String {
        var name = [CChar](repeating: 0, count: 128)
        let status = ttyname_r(terminal, &name, name.count)
        guard status == 0 else { throw .system(call: "ttyname_r", code: status) }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Raw: no echo, no lines, no signals, eight bits.
    private static func makeRaw(_ terminal: Int32) throws(ServingError) {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else {
            throw .system(call: "tcgetattr", code: errno)
        }
        cfmakeraw(&settings)
        guard tcsetattr(terminal, TCSANOW, &settings) == 0 else {
            throw .system(call: "tcsetattr", code: errno)
        }
    }

    /// Opens the other end again after a hangup. A client that leads a session without a terminal
    /// makes this one its controlling terminal, and hangs it up when it ends.
    static func reopen(_ path: String) -> Int32? {
        let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        do throws(ServingError) {
            try makeRaw(terminal)
            return terminal
        } catch {
            close(terminal)
            return nil
        }
    }
}
