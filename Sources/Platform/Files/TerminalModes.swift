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
