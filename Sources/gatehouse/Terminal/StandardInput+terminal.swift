// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension StandardInput {
    /// Whether somebody is there to give one.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
