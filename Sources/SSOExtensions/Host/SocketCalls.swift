// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `send` and `recv` of the system. If the other end is closed, they return an error instead of a
/// signal.
enum SocketCalls {
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        systemSend(socket, bytes.baseAddress, bytes.count, flags)
    }

    static func receive(_ socket: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { systemReceive(socket, $0.baseAddress, $0.count, 0) }
    }

    #if os(Linux)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif
}

private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = {
    send($0, $1, $2, $3)
}

private let systemReceive: @Sendable (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int = {
    recv($0, $1, $2, $3)
}
