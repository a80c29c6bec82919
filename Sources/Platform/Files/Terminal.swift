// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The modes of a terminal (termios(3)).
package struct TerminalModes: Sendable {
    private var settings: termios

    /// The present modes; `nil` if the descriptor is not a terminal.
    package init?(of terminal: Descriptor) {
        var settings = termios()
        guard tcgetattr(terminal.rawValue, &settings) == 0 else { return nil }
        self.settings = settings
    }

    /// Single keys: no echo, no lines, and Ctrl-C is a key and not a signal.
    package var keys: TerminalModes {
        var modes = self
        modes.settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        modes.settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        return modes
    }

    /// Bytes as they are: no echo, no lines, no signals, eight bits.
    package var raw: TerminalModes {
        var modes = self
        cfmakeraw(&modes.settings)
        return modes
    }

    package enum Moment: Sendable {
        case now
        /// After all output, and input that was not read is discarded.
        case discardingInput
        /// After all output.
        case afterOutput

        fileprivate var action: Int32 {
            switch self {
            case .now: TCSANOW
            case .discardingInput: TCSAFLUSH
            case .afterOutput: TCSADRAIN
            }
        }
    }

    package func apply(to terminal: Descriptor, _ moment: Moment = .now) throws(PlatformError) {
        var settings = settings
        guard tcsetattr(terminal.rawValue, moment.action, &settings) == 0 else {
            throw .last("tcsetattr")
        }
    }
}

extension Descriptor {
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The present width of the terminal; `nil` for other files and if it is not known.
    package var columns: Int? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Discards what was written to a terminal and not yet read.
    package func discardInput() { tcflush(rawValue, TCIFLUSH) }

    /// The path of a terminal.
    package func terminalPath() throws(PlatformError) -> String {
        var name = [CChar](repeating: 0, count: 128)
        let code = ttyname_r(rawValue, &name, name.count)
        guard code == 0 else { throw PlatformError("ttyname_r", code: Errno(rawValue: code)) }
        return text(name)
    }

    /// A new pseudo-terminal: its two ends.
    package static func pseudoTerminal() throws(PlatformError) -> (
        controller: Descriptor, terminal: Descriptor
    ) {
        var (controller, terminal): (Int32, Int32) = (-1, -1)
        guard openpty(&controller, &terminal, nil, nil, nil) == 0 else { throw .last("openpty") }
        let ends = (Descriptor(rawValue: controller), Descriptor(rawValue: terminal))
        ends.0.isInherited = false
        ends.1.isInherited = false
        return ends
    }
}
