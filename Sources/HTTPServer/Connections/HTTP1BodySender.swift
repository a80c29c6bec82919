// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Primitives

/// Sends a body piece by piece on one connection: in chunks (RFC 9112 section 7.1), or to a client of
/// HTTP/1.0 up to the end of the connection.
struct HTTP1BodySender: Sendable {
    let channel: any Channel
    let isChunked: Bool

    /// Closes a connection whose client has not read one piece after this time.
    static let stallLimit = TimeAmount.seconds(60)

    /// One piece is in memory at a time: each is written when the one before has left.
    @concurrent
    func send(_ body: StreamedBody) async throws {
        try await body.send { try await write(framed($0)) }
        if isChunked { try await write(ByteBuffer(string: "0\r\n\r\n")) }
    }

    private func framed(_ piece: [UInt8]) -> ByteBuffer {
        guard isChunked else { return ByteBuffer(bytes: piece) }
        var buffer = channel.allocator.buffer(capacity: piece.count + 16)
        buffer.writeString(Hexadecimal.text(piece.count))
        buffer.writeStaticString("\r\n")
        buffer.writeBytes(piece)
        buffer.writeStaticString("\r\n")
        return buffer
    }

    private func write(_ buffer: ByteBuffer) async throws {
        let timer = channel.eventLoop.scheduleTask(in: Self.stallLimit) { channel.reset() }
        defer { timer.cancel() }
        try await channel.writeAndFlush(buffer)
    }
}

/// `struct linger` of the system: at once, with a reset.
private struct Linger: Sendable {
    var isOn: CInt = 1
    var seconds: CInt = 0
}

extension Channel {
    /// Ends the connection so that the client sees that something is missing: with a reset, and
    /// below TLS, which would announce a regular end. On the event loop only.
    func reset() {
        if let socket = self as? any SocketOptionProvider {
            socket.unsafeSetSocketOption(
                level: .socket, name: .so_linger, value: Linger()
            ).whenComplete { _ in }
        }
        let lowest = try? pipeline.syncOperations.context(handlerType: HeadDeadline.self)
        guard let lowest else { return close(promise: nil) }
        lowest.close(promise: nil)
    }
}
