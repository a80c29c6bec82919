// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix

/// Waits on a free port of 127.0.0.1 for the one redirect that ends a sign-in (RFC 8252
/// section 7.3), and tells the browser that the window may be closed.
package struct LoopbackListener: Sendable {
    private let channel: any Channel
    private let answers: AsyncStream<[String: String]>
    package let redirectURI: String

    /// - Parameter isExpected: whether an answer is ours; others are told so, and waiting goes on.
    package static func start(
        isExpected: @escaping @Sendable ([String: String]) -> Bool
    ) async throws -> LoopbackListener {
        let (answers, continuation) = AsyncStream<[String: String]>.makeStream()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        LoopbackHandler { answer in
                            guard isExpected(answer) else { return false }
                            continuation.yield(answer)
                            return true
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        return LoopbackListener(
            channel: channel, answers: answers, redirectURI: "http://127.0.0.1:\(port)/callback")
    }

    /// The answer; `nil` when the task is cancelled.
    package func answer() async -> [String: String]? {
        for await answer in answers { return answer }
        return nil
    }

    package func stop() async { try? await channel.close() }
}

/// Answers `GET /callback?…` and nothing else.
private final class LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let accept: ([String: String]) -> Bool
    private var head: HTTPRequestHead?

    init(accept: @escaping ([String: String]) -> Bool) { self.accept = accept }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            let answer = head.method == .GET ? CallbackQuery.read(target: head.uri) : nil
            if let answer {
                let isOurs = accept(answer)
                reply(
                    context, isOurs ? .ok : .badRequest,
                    isOurs ? CallbackPage.finished(answer) : CallbackPage.foreign)
            } else {
                reply(context, .notFound, CallbackPage.unknown)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func reply(
        _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ page: String
    ) {
        var head = HTTPResponseHead(version: .http1_1, status: status)
        head.headers.add(name: "content-type", value: "text/html; charset=utf-8")
        head.headers.add(name: "content-length", value: "\(page.utf8.count)")
        head.headers.add(name: "cache-control", value: "no-store")
        head.headers.add(name: "referrer-policy", value: "no-referrer")
        head.headers.add(
            name: "content-security-policy",
            value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        head.headers.add(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = context.channel.allocator.buffer(string: page)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
