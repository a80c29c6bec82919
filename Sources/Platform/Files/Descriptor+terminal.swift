// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
