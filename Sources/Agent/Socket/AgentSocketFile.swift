// SPDX-License-Identifier: Apache-2.0
package import AgentWaiting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The agent's socket, if no other program has opened it.
package enum AgentSocketFile {
    /// Listens at the path, for all users of this device. An old socket is removed.
    package static func listen(at path: String) throws(IdleProcessError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let letters = Array(path.utf8)
        let size = MemoryLayout.size(ofValue: address.sun_path)
        guard !letters.isEmpty, letters.count < size else { throw .system("bind", ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: letters) }
        removeSocket(path)
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let file = socket(AF_UNIX, type, 0)
        guard file >= 0 else { throw .system("socket", errno) }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, chmod(path, 0o666) == 0, systemListen(file, 128) == 0 else {
            let error = IdleProcessError.system("bind", errno)
            close(file)
            throw error
        }
        return file
    }

    /// Files that are no sockets stay, and are in the way.
    private static func removeSocket(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { return }
        unlink(path)
    }
}

private let systemListen: @Sendable (Int32, Int32) -> Int32 = { listen($0, $1) }
