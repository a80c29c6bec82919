// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A TCP connection to a loopback port, blocking and raw: what is sent is exactly what was given.
/// Used by one thread at a time.
final class Connection {
    enum Failure: Error { case refused, timedOut, reset }

    private let socket: Int32

    /// `timeout` in seconds holds for each send and each receive.
    init(port: Int, timeout: Int = 10) throws {
        socket = Self.makeSocket()
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        guard withLoopback(port, { connect(socket, $0, $1) }) == 0 else { throw Failure.refused }
    }

    /// Wraps an accepted connection.
    init(accepted socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(socket, buffer.baseAddress, buffer.count, 0)
                #endif
            }
            guard count > 0 else { throw Self.failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes, empty at the end of the stream.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Self.failure() }
        return Array(buffer[..<count])
    }

    /// Whether an answer (or the end) is there to be read.
    var hasInput: Bool { waits(atMost: 0) }

    /// Waits until an answer (or the end) is there to be read; `false` when it took too long.
    func waits(atMost milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Tells the peer that nothing more will be sent.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    private static func failure() -> Failure {
        errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut : .reset
    }

    static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            // Not for children: a server that inherits a socket keeps it open.
            Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    /// Ports below those that the system gives to outgoing connections (from 32768): a server that
    /// starts later, or again, finds its port free.
    private static let ports = 10_000..<32_000
    private static let nextPort = Mutex(ports.randomElement() ?? ports.lowerBound)

    /// The first of `count` neighbouring ports that were all free a moment ago. This process gives
    /// out no port twice until it has given out all.
    static func freePort(neighbours count: Int = 1) throws -> Int {
        for _ in 0..<200 {
            let first = nextPort.withLock { next in
                let first = next + count <= ports.upperBound ? next : ports.lowerBound
                next = first + count
                return first
            }
            if (first..<first + count).allSatisfy(isFree) { return first }
        }
        throw Failure.refused
    }

    private static func isFree(_ port: Int) -> Bool {
        let probe = makeSocket()
        defer { close(probe) }
        return withLoopback(port) { bind(probe, $0, $1) } == 0
    }
}

func withLoopback(
    _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
