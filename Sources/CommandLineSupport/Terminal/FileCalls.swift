// SPDX-License-Identifier: Apache-2.0
import Platform

/// Questions about paths.
package enum FileCalls {
    package static func exists(_ path: String) -> Bool { FileSystem.exists(path) }

    /// Whether the path is a device or a socket.
    package static func isDeviceOrSocket(_ path: String) -> Bool {
        [.characterDevice, .socket].contains((try? FileStatus(path))?.kind)
    }

    /// The system's text for an error number.
    package static func reason(_ code: Int32) -> String { "\(Errno(rawValue: code))" }
}
