// SPDX-License-Identifier: Apache-2.0
package import Platform

/// Why an agent stays awake, or has no socket.
package enum IdleProcessError: Error, Sendable, CustomStringConvertible {
    case system(String, Errno)
    /// Its memory is larger than a pipe.
    case tooMuch
    /// The program that waits is missing in the directory of the agent.
    case noWaiter(String)

    package init(_ error: PlatformError) { self = .system(error.call, error.code) }

    package var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(code)"
        case .tooMuch: "there is too much to remember"
        case .noWaiter(let path): "\(path) is missing"
        }
    }
}
