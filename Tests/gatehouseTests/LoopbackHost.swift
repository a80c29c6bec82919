// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP service on loopback, over a real socket. What it answers is a closure's to say.
final class LoopbackHost: Sendable {
    struct Reply: Sendable {
        var status = 200
        var headers: HTTPHeaders = [:]
        var body: [UInt8] = []
    }

    typealias Respond = @Sendable (HTTPRequestHead) -> Reply

    private let channel: any Channel

    init(_ respond: @escaping Respond) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(respond))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// Closes the port.
    func stop() async throws { try await channel.close() }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let respond: Respond
        private var head: HTTPRequestHead?

        init(_ respond: @escaping Respond) { self.respond = respond }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end: head.map { answer(context, respond($0)) }
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ reply: Reply) {
            // One response each, so that no connection is open at the end.
            var headers = reply.headers
            headers.add(name: "content-length", value: "\(reply.body.count)")
            headers.add(name: "connection", value: "close")
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: reply.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = context.channel.allocator.buffer(bytes: reply.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
