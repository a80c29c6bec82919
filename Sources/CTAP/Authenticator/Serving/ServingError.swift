// SPDX-License-Identifier: Apache-2.0

/// Why a software key cannot be served.
package enum ServingError: Error, Sendable, Equatable {
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The path of a Unix socket is longer than the system allows (about 100 bytes).
    case pathTooLong
    /// Somebody listens on that path already, or something else is there.
    case inUse
}
