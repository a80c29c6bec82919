// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A listener on a free port of 127.0.0.1 for the redirect that ends a sign-in or another flow in
/// the browser (RFC 8252 section 7.3). It responds with a page that says that the person can close
/// the window.
package struct LoopbackListener: Sendable {
    /// The data of the redirect.
    package struct Answer: Sendable {
        /// The requested URL.
        package let url: String
        package let parameters: [String: String]
    }

    private let channel: any Channel
    private let answers: AsyncStream<(target: String, parameters: [String: String])>
    private let shown: ShownForm
    private let origin: String

    package var redirectURI: String { origin + "/callback" }

    /// - Parameter isExpected: Whether these parameters of a redirect belong to the flow. Other
    ///   redirects receive an error page, and the listener continues.
    package static func start(
        isExpected: @escaping @Sendable ([String: String]) -> Bool
    ) async throws -> LoopbackListener {
        let (answers, continuation) = AsyncStream<(target: String, parameters: [String: String])>
            .makeStream()
        let shown = ShownForm()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        LoopbackHandler(shown) { target, parameters in
                            guard isExpected(parameters) else { return false }
                            continuation.yield((target, parameters))
                            return true
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        return LoopbackListener(
            channel: channel, answers: answers, shown: shown, origin: "http://127.0.0.1:\(port)")
    }

    /// Serves the form from now on, instead of an earlier one.
    ///
    /// - Returns: The URL of its page.
    package func show(_ form: LoopbackForm) -> String {
        shown.form.withLock { $0 = form }
        return origin + form.path
    }

    /// Waits for an expected redirect and returns its data; `nil` if the task is cancelled.
    /// ``stop()`` does not end the wait.
    package func answer() async -> Answer? {
        for await (target, parameters) in answers {
            return Answer(url: origin + target, parameters: parameters)
        }
        return nil
    }

    package func stop() async { try? await channel.close() }
}

/// The form that a listener serves.
private final class ShownForm: Sendable {
    let form = Mutex<LoopbackForm?>(nil)
}

/// Responds to `GET /callback?…` and serves the page with the form; the response to every other
/// request is 404.
private final class LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let shown: ShownForm
    private let accept: (_ target: String, _ parameters: [String: String]) -> Bool
    private var head: HTTPRequestHead?

    init(_ shown: ShownForm, accept: @escaping (String, [String: String]) -> Bool) {
        self.shown = shown
        self.accept = accept
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            guard head.method == .GET else {
                return reply(context, .notFound, CallbackPage.unknown)
            }
            if let answer = CallbackQuery.read(target: head.uri) {
                let isOurs = accept(head.uri, answer)
                reply(
                    context, isOurs ? .ok : .badRequest,
                    isOurs ? CallbackPage.finished(answer) : CallbackPage.foreign)
            } else if let form = shown.form.withLock({ $0 }), form.path == head.uri {
                reply(context, .ok, form.html, policy: LoopbackForm.policy)
            } else {
                reply(context, .notFound, CallbackPage.unknown)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func reply(
        _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ page: String,
        policy: String = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    ) {
        var head = HTTPResponseHead(version: .http1_1, status: status)
        head.headers.add(name: "content-type", value: "text/html; charset=utf-8")
        head.headers.add(name: "content-length", value: "\(page.utf8.count)")
        head.headers.add(name: "cache-control", value: "no-store")
        head.headers.add(name: "referrer-policy", value: "no-referrer")
        head.headers.add(name: "content-security-policy", value: policy)
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
