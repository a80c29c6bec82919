// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform

/// A connection to the agent's socket that violates the protocol. Its calls block, for twenty
/// seconds at most.
final class RawConnection: Sendable {
    struct Failed: Error {
        let call: String
        let code: Int32
    }

    private let file: Int32

    init(_ path: String) throws {
        file = try UnixSocket.connect(path).rawValue
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Hangs up, for good.
    func hangUp() { shutdown(file, Int32(SHUT_RDWR)) }

    /// Sends nothing from now on, and still reads.
    func finish() { shutdown(file, Int32(SHUT_WR)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                systemSend(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failed(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends bytes and, along with them, an open file (unix(7), `SCM_RIGHTS`).
    func send(_ bytes: [UInt8], along other: Int32) throws {
        // struct cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS; then the number, filled up to eight bytes.
        var control = [UInt8](repeating: 0, count: 24)
        control.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
            bytes.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            bytes.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            bytes.storeBytes(of: other, toByteOffset: 16, as: Int32.self)
        }
        var bytes = bytes
        let count = bytes.withUnsafeMutableBytes { content in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(file, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
        guard count == bytes.count else { throw Failed(call: "sendmsg", code: errno) }
    }

    /// Everything until the agent hangs up.
    ///
    /// - Throws: when it does not.
    func rest() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try some()
            if part.isEmpty { return all }
            all += part
        }
    }

    /// What comes next; empty at the end.
    private func some() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(file, &buffer, buffer.count, 0)
        // A peer that closes with unread bytes resets the connection.
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Failed(call: "recv", code: errno) }
        return Array(buffer.prefix(count))
    }

    /// One whole message, without its length.
    func message() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            if bytes.count >= 4 {
                let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                if bytes.count >= 4 + length { return Array(bytes.dropFirst(4).prefix(length)) }
            }
            let part = try some()
            guard !part.isEmpty else { throw Failed(call: "recv", code: 0) }
            bytes += part
        }
    }
}

private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = {
    send($0, $1, $2, $3)
}
