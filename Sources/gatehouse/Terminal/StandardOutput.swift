// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Data, for whom it cannot wait until the program ends.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How wide the terminal is now; 80 for what is none, or does not say.
    static var columns: Int { columns(of: STDOUT_FILENO) }

    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// Writes the line at once, also into a pipe.
    static func printNow(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes bytes as they are.
    static func write(_ content: [UInt8]) {
        var bytes = content[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { FileCalls.write(STDOUT_FILENO, $0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
