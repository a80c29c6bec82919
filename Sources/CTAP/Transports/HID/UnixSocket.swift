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
    static func connect(
        _ path: String
    ) throws(TransportError) -> (descriptor: Int32, framing: FileReportStream.Framing) {
        #if canImport(Glibc)
            let types: [(Int32, FileReportStream.Framing)] = [
                (Int32(SOCK_SEQPACKET.rawValue), .plain), (Int32(SOCK_STREAM.rawValue), .numbered),
            ]
        #else
            let types: [(Int32, FileReportStream.Framing)] = [(SOCK_STREAM, .numbered)]
        #endif
        var code: Int32 = 0
        for (type, framing) in types {
            let descriptor = socket(AF_UNIX, type, 0)
            guard descriptor >= 0 else { throw .system(Int64(errno)) }
            // A listener that accepts nobody would keep the caller's thread.
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            if try connect(descriptor, to: path) { return (descriptor, framing) }
            code = errno
            shut(descriptor)
            guard code == EPROTOTYPE else { break }
        }
        throw code == ECONNREFUSED ? .removed : FileReportStream.failure(code)
    }

    private static func connect(
        _ descriptor: Int32, to path: String
    ) throws(TransportError) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8) + [0]
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw .tooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #if canImport(Glibc)
                    Glibc.connect(descriptor, address, size) == 0
                #elseif canImport(Musl)
                    Musl.connect(descriptor, address, size) == 0
                #else
                    Darwin.connect(descriptor, address, size) == 0
                #endif
            }
        }
    }

    private static func shut(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}
