// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The part of an HTTP server that the service needs. A proxy in front of it ends TLS.
enum HTTPListener {
    struct Request: Sendable {
        let method: String
        let target: String
        /// Names in lower case.
        let headers: [String: String]
        let body: [UInt8]

        /// Without the query.
        var path: String { String(target.prefix { $0 != "?" }) }
    }

    struct Answer: Sendable {
        let status: Int
        var headers: [(String, String)] = []
        var body = Data()
    }

    typealias Respond = @Sendable (Request) async -> Answer

    /// Listens until the process ends.
    static func run(
        host: String, port: Int, ready: () -> Void, answer: @escaping Respond
    ) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Exchange(answer))
                }
            }
            .bind(host: host, port: port).get()
        ready()
        try await channel.closeFuture.get()
    }
}

/// One connection: a request after the other, whole.
private final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let greatestBody = 65_536

    private let answer: HTTPListener.Respond
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ answer: @escaping HTTPListener.Respond) { self.answer = answer }

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
        let request = HTTPListener.Request(
            method: head.method.rawValue, target: head.uri,
            headers: Dictionary(
                head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
            body: body)
        let answer = answer
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await answer(request) }
            .whenSuccess { given in
                let (exchange, context) = bound.value
                exchange.write(given, context)
            }
    }

    private func write(_ answer: HTTPListener.Answer, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: answer.status))
        for (name, value) in answer.headers { head.headers.add(name: name, value: value) }
        head.headers.add(name: "content-type", value: "application/json")
        head.headers.add(name: "content-length", value: "\(answer.body.count)")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bytes = context.channel.allocator.buffer(bytes: answer.body)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
