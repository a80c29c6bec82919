// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pair of terminals in raw mode, whose path programs open as if it were a hidraw device.
///
/// A terminal keeps 4,095 bytes for its reader and cuts the report that no longer fits in two,
/// which readers of hidraw devices do not expect. Every CTAP message is far below that; only a
/// PING of more than 3,600 bytes to a slow reader is not.
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

    /// Opens the other end again, after it was hung up: a client that leads a session and has no
    /// terminal makes ours its own, and hangs it up when it ends.
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
