// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why an agent stays awake, or has no socket.
package enum IdleProcessError: Error, Sendable, CustomStringConvertible {
    case system(String, Int32)
    /// What it has in mind is more than a pipe holds.
    case tooMuch
    /// The program that waits is missing in the directory of the agent.
    case noWaiter(String)

    package var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .tooMuch: "there is too much to remember"
        case .noWaiter(let path): "\(path) is missing"
        }
    }
}
