// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A metadata service on loopback: one document with an `ETag`, over a real socket.
final class MetadataHost: Sendable {
    /// What it answers, and what it was asked.
    struct State: Sendable {
        var document: [UInt8] = []
        var status = 200
        /// Every request's `If-None-Match`, empty where there was none.
        var known: [String] = []
    }

    private let channel: any Channel
    private let shared: Shared

    final class Shared: Sendable {
        let state = Mutex(State())

        /// Status, `ETag` and body for a request.
        func answer(known: String) -> (status: Int, tag: String, body: [UInt8]) {
            state.withLock { state in
                state.known.append(known)
                let tag = "\"\(state.document.count)-\(state.document.hashValue)\""
                guard state.status == 200 else { return (state.status, "", []) }
                return known == tag ? (304, tag, []) : (200, tag, state.document)
            }
        }
    }

    init() async throws {
        let shared = Shared()
        self.shared = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(shared: shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/blob.jwt" }

    func serve(_ document: [UInt8], status: Int = 200) {
        shared.state.withLock {
            $0.document = document
            $0.status = status
        }
    }

    var known: [String] { shared.state.withLock { $0.known } }

    /// Nobody listens any more.
    func stop() async throws { try await channel.close() }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let shared: Shared
        private var known = ""

        init(shared: Shared) { self.shared = shared }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): known = head.headers.first(name: "if-none-match") ?? ""
            case .body: break
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let (status, tag, body) = shared.answer(known: known)
            // One answer each, so that nobody is left to answer when it stops.
            let headers: HTTPHeaders = [
                "etag": tag, "content-length": "\(body.count)", "connection": "close",
            ]
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = context.channel.allocator.buffer(bytes: body)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
