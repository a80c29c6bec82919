// SPDX-License-Identifier: Apache-2.0
package import Platform

/// The agent's socket, if no other program has opened it.
package enum AgentSocketFile {
    /// Listens at the path, for all users of this device. An old socket is removed.
    package static func listen(at path: String) throws(PlatformError) -> Descriptor {
        // Other files stay, and then the path is in use.
        if (try? FileStatus(path, followsLinks: false))?.kind == .socket {
            try? FileSystem.remove(path)
        }
        return try UnixSocket.listen(path, mode: 0o666, backlog: 128)
    }
}
