// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A server that accepts each request, sends a prefix of a response, and then sends nothing.
package final class SilentServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let connections = Mutex<[Int32]>([])

    /// - Parameter words: The prefix of the response.
    package init(saying words: String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try Self.listen(listener)
        Thread.detachNewThread { [self] in serve(words) }
    }

    /// At a port of this machine that the system chooses.
    private static func listen(_ listener: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(listener, place, length) == 0, Glibc.listen(listener, 8) == 0
            else { return -1 }
            return getsockname(listener, place, &length)
        }
        guard status == 0 else { throw HarnessError("no port to listen at: \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func serve(_ words: String) {
        var request = [UInt8](repeating: 0, count: 4096)
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            connections.withLock { $0.append(connection) }
            _ = recv(connection, &request, request.count, 0)
            _ = Array(words.utf8).withUnsafeBytes { bytes in
                send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
        close(listener)
        connections.withLock { $0.forEach { close($0) } }
    }

    /// How many have come.
    package var connectionCount: Int { connections.withLock { $0.count } }

    /// Closes all connections.
    package func stop() {
        connections.withLock { $0.forEach { shutdown($0, Int32(SHUT_RDWR)) } }
        // Ends a thread that waits in accept, too.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
