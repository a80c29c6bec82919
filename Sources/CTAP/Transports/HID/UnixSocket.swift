// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Connects to a Unix socket that carries reports: packets where the other side has them, else a
/// stream.
enum UnixSocket {
    #if canImport(Glibc)
        static let packets: Int32? = Int32(SOCK_SEQPACKET.rawValue)
        static let stream = Int32(SOCK_STREAM.rawValue)
    #elseif canImport(Musl)
        static let packets: Int32? = SOCK_SEQPACKET
        static let stream = SOCK_STREAM
    #else
        /// Darwin has none for Unix sockets.
        static let packets: Int32? = nil
        static let stream = SOCK_STREAM
    #endif

    /// Returns a socket of that type, or -1. Child processes do not inherit it: an inherited socket
    /// would hold the connection open after it is closed here, and swtpm serves one connection at a
    /// time.
    static func make(_ type: Int32) -> Int32 {
        #if canImport(Glibc)
            socket(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            socket(AF_UNIX, type | SOCK_CLOEXEC, 0)
        #else
            keptFromChildren(socket(AF_UNIX, type, 0))
        #endif
    }

    #if canImport(Darwin)
        private static func keptFromChildren(_ descriptor: Int32) -> Int32 {
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        }
    #endif

    static func connect(
        _ path: String
    ) throws(TransportError) -> (descriptor: Int32, framing: FileReportStream.Framing) {
        guard let address = UnixSocketAddress(path) else { throw .tooLong }
        var code: Int32 = 0
        let types: [(Int32?, FileReportStream.Framing)] = [(packets, .plain), (stream, .numbered)]
        for case (let type?, let framing) in types {
            let descriptor = make(type)
            guard descriptor >= 0 else { throw .system(Int64(errno)) }
            // A listener that accepts no connection would block the caller's thread.
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            if address.connect(descriptor) { return (descriptor, framing) }
            code = errno
            close(descriptor)
            guard code == EPROTOTYPE else { break }
        }
        throw code == ECONNREFUSED ? .removed : FileReportStream.failure(code)
    }
}
