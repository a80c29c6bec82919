// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import UserClient

/// A proxy between the programs and the provider. It listens on the loopback port of the issuer,
/// and forwards each request, so that the tour can display all requests.
struct TourWire: Sendable {
    let exchange: TourExchange
    private let channel: any Channel

    static func open(_ screen: TourScreen) async throws -> TourWire {
        let exchange = TourExchange(screen: screen)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Passage(exchange))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TourWire(exchange: exchange, channel: channel)
    }

    var issuer: String { "http://localhost:\(channel.localAddress?.port ?? 0)" }

    func close() async { try? await channel.close() }
}

/// A connection, which forwards one complete request after the other.
private final class Passage: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum request size in bytes.
    private static let greatestBody = 1_048_576
    /// Header fields that concern one connection only (RFC 9110 section 7.6.1), and the content
    /// length, which is computed again.
    private static let own: Set<String> = [
        "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-connection", "content-length",
    ]

    private let exchange: TourExchange
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ exchange: TourExchange) { self.exchange = exchange }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part):
            guard body.count + part.readableBytes <= Self.greatestBody else {
                return context.close(promise: nil)
            }
            body += part.readableBytesView
        case .end: if let head { pass(head, context) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func pass(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let request = WebRequest(
            method: head.method.rawValue, url: head.uri,
            headers: head.headers.filter { !Self.own.contains($0.name.lowercased()) }
                .map { ($0.name, $0.value) },
            body: body.isEmpty ? nil : body)
        let exchange = exchange
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await exchange.answer(to: request) }
            .whenSuccess { answer in
                let (passage, context) = bound.value
                guard let answer else { return context.close(promise: nil) }
                passage.reply(answer, context)
            }
    }

    private func reply(_ answer: WebClient.Answer, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: answer.status))
        for (name, value) in answer.headers where name != "set-cookie" && !Self.own.contains(name) {
            head.headers.add(name: name, value: value)
        }
        for cookie in answer.cookies { head.headers.add(name: "set-cookie", value: cookie) }
        head.headers.add(name: "content-length", value: "\(answer.body.count)")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bytes = context.channel.allocator.buffer(bytes: answer.body)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
