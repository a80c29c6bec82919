// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A warning for the extension's developer in the agent's log.
package enum ExtensionWarning {
    package static func write(_ sentence: String) {
        let line = Array("extension: \(sentence)\n".utf8)
        #if canImport(Glibc)
            _ = Glibc.write(STDERR_FILENO, line, line.count)
        #elseif canImport(Musl)
            _ = Musl.write(STDERR_FILENO, line, line.count)
        #else
            _ = Darwin.write(STDERR_FILENO, line, line.count)
        #endif
    }
}
