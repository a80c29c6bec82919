// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Platform

/// An address that cannot be listened on, in words for the operator.
package struct ListenError: Error, Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int
    /// The system's text: `Address already in use`.
    package let reason: String

    init(host: String, port: Int, error: any Error) {
        self.host = host
        self.port = port
        switch error {
        case let error as IOError: reason = "\(Errno(rawValue: error.errnoCode))"
        default: reason = "\(error)"
        }
    }

    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "cannot listen on \(name):\(port): \(reason)"
    }
}
