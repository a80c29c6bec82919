// SPDX-License-Identifier: Apache-2.0
import Platform

/// A pair of terminals in raw mode. Programs open its path as they open a hidraw device.
///
/// A terminal buffers 4,095 bytes and truncates a report that exceeds them, which readers of hidraw
/// devices do not expect. Every CTAP message is far shorter; only a PING of more than 3,600 bytes
/// to a slow reader is not.
struct PseudoTerminal {
    let controller: Descriptor
    let terminal: Descriptor
    /// For example `/dev/pts/3`.
    let path: String

    init() throws(ServingError) {
        do throws(PlatformError) {
            (controller, terminal) = try Descriptor.pseudoTerminal()
        } catch { throw ServingError(error) }
        do throws(PlatformError) {
            path = try terminal.terminalPath()
            try Self.makeRaw(terminal)
        } catch {
            controller.close()
            terminal.close()
            throw ServingError(error)
        }
    }

    private static func makeRaw(_ terminal: Descriptor) throws(PlatformError) {
        guard let modes = TerminalModes(of: terminal) else {
            throw PlatformError("tcgetattr", code: .notATerminal)
        }
        try modes.raw.apply(to: terminal)
    }

    /// Opens the other end again after a hang-up: a client that leads a session without a terminal
    /// makes ours its own, which hangs up when the client ends.
    static func reopen(_ path: String) -> Descriptor? {
        guard let terminal = try? Descriptor.open(path, [.read, .write, .noControl]) else {
            return nil
        }
        do throws(PlatformError) {
            try makeRaw(terminal)
            return terminal
        } catch {
            terminal.close()
            return nil
        }
    }
}
