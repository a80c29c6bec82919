// SPDX-License-Identifier: Apache-2.0
import Platform

/// A failure to serve a software key.
package enum ServingError: Error, Sendable, Equatable {
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The path of a Unix socket is longer than the system allows (about 100 bytes).
    case pathTooLong
    /// Another process listens on the path, or it is not a socket.
    case inUse
}

extension ServingError {
    init(_ error: PlatformError) {
        self =
            error.code == .nameTooLong
            ? .pathTooLong : .system(call: error.call, code: error.code.rawValue)
    }
}
