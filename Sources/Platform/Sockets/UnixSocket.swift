// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Unix domain sockets (unix(7)). Programs that are started later do not inherit them.
package enum UnixSocket {
    package enum Kind: Sendable {
        /// Bytes in order (`SOCK_STREAM`).
        case stream
        /// Packets in order (`SOCK_SEQPACKET`). Darwin does not have them.
        case packets

        fileprivate var type: Int32 {
            #if canImport(Glibc)
                Int32(self == .stream ? SOCK_STREAM.rawValue : SOCK_SEQPACKET.rawValue)
            #else
                self == .stream ? SOCK_STREAM : SOCK_SEQPACKET
            #endif
        }
    }

    #if canImport(Darwin)
        package static let hasPackets = false
    #else
        package static let hasPackets = true
    #endif

    /// Connects to the socket at a path.
    ///
    /// - Parameters:
    ///   - isNonBlocking: Whether the call and later reads and writes return at once.
    ///   - limit: The longest time that a call waits for a listener with a full queue, in seconds.
    /// - Throws: `ENAMETOOLONG` for paths of more than about 100 bytes, `EPROTOTYPE` for a socket of
    ///   the other kind.
    package static func connect(
        _ path: String, _ kind: Kind = .stream, isNonBlocking: Bool = false,
        limit: Int? = nil
    ) throws(PlatformError) -> Descriptor {
        let address = try Address(path, for: "connect")
        let socket = try make(kind)
        if isNonBlocking { socket.isNonBlocking = true }
        if let limit {
            var time = timeval(tv_sec: limit, tv_usec: 0)
            setsockopt(
                socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &time,
                socklen_t(MemoryLayout<timeval>.size))
        }
        guard address.with({ connectSocket(socket.rawValue, $0, $1) }) == 0 else {
            let error = PlatformError.last("connect", path)
            socket.close()
            throw error
        }
        return socket
    }

    /// Listens at a path, which must be free (`EADDRINUSE`).
    ///
    /// - Parameters:
    ///   - mode: Set before a client can connect.
    ///   - backlog: How many clients may wait.
    package static func listen(
        _ path: String, _ kind: Kind = .stream, mode: UInt32, backlog: Int32
    ) throws(PlatformError) -> Descriptor {
        let address = try Address(path, for: "bind")
        let socket = try make(kind)
        do throws(PlatformError) {
            guard address.with({ bind(socket.rawValue, $0, $1) }) == 0 else {
                throw .last("bind", path)
            }
            try FileSystem.setPermissions(path, mode)
            guard listenSocket(socket.rawValue, backlog) == 0 else { throw .last("listen", path) }
        } catch {
            socket.close()
            throw error
        }
        return socket
    }

    /// The next client of a listening socket.
    package static func accept(_ socket: Descriptor) throws(PlatformError) -> Descriptor {
        let client = acceptSocket(socket.rawValue)
        guard client >= 0 else { throw .last("accept") }
        let descriptor = Descriptor(rawValue: client)
        descriptor.isInherited = false
        return descriptor
    }

    /// Two sockets that are connected to each other.
    package static func pair(
        _ kind: Kind = .stream
    ) throws(PlatformError) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind.type, 0, &ends) == 0 else { throw .last("socketpair") }
        let pair = (Descriptor(rawValue: ends[0]), Descriptor(rawValue: ends[1]))
        pair.0.isInherited = false
        pair.1.isInherited = false
        return pair
    }

    /// The kind of a socket; `nil` for another file.
    package static func kind(of file: Descriptor) -> Kind? {
        var (type, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(file.rawValue, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return nil }
        return type == Kind.stream.type ? .stream : .packets
    }

    private static func make(_ kind: Kind) throws(PlatformError) -> Descriptor {
        #if canImport(Glibc)
            let file = socket(AF_UNIX, kind.type | Int32(SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            let file = socket(AF_UNIX, kind.type | SOCK_CLOEXEC, 0)
        #else
            let file = socket(AF_UNIX, kind.type, 0)
        #endif
        guard file >= 0 else { throw .last("socket") }
        let descriptor = Descriptor(rawValue: file)
        descriptor.isInherited = false
        return descriptor
    }

    /// A path in the form of `struct sockaddr_un`.
    private struct Address {
        private var address = sockaddr_un()

        init(_ path: String, for call: String) throws(PlatformError) {
            let name = Array(path.utf8) + [0]
            guard name.count > 1, name.count <= MemoryLayout.size(ofValue: address.sun_path) else {
                throw PlatformError(call, path, code: .nameTooLong)
            }
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        }

        func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }
}

// The system's calls, under names that the methods above do not hide.
private let connectSocket: @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = {
    connect($0, $1, $2)
}
private let listenSocket: @Sendable (Int32, Int32) -> Int32 = { listen($0, $1) }
private let acceptSocket: @Sendable (Int32) -> Int32 = { socket in
    retryingInterrupts { accept(socket, nil, nil) }
}
