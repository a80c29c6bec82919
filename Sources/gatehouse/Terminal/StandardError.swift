// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where everything goes that is not data.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// How wide the terminal is now; 80 for what is none, or does not say.
    static var columns: Int { StandardOutput.columns(of: STDERR_FILENO) }

    static func print(_ line: String) { write(line + "\n") }

    /// In one system call when the system takes it, so lines of several threads do not mix.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { FileCalls.write(STDERR_FILENO, $0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
