// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connection to a software TPM at a Unix socket. It serves one program at a time; who comes
/// meanwhile waits in line, and behind a full line here, half a minute at most.
enum TPMSocket {
    private static let patience = 30

    static func connect(_ path: String) throws(TPMError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8) + [0]
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw .system(call: "connect", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = make()
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(descriptor, $0, size) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw .system(call: "connect", code: code)
        }
        return descriptor
    }

    /// Programs started later do not inherit it: one that did would keep the TPM to itself.
    private static func make() -> Int32 {
        #if canImport(Glibc)
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            -1
        #endif
    }
}

private let systemConnect: @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = {
    connect($0, $1, $2)
}
