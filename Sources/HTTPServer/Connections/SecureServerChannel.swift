// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// TLS, and then what the client chose (ALPN, RFC 7301): HTTP/2, which is Hummingbird's, or
/// HTTP/1.1, which is ``HTTP1Connection``.
struct SecureServerChannel: ServerChildChannel {
    enum Negotiated: Sendable {
        case one(HTTP1ServerChannel.Value)
        case two(HTTP2Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
    }

    private typealias Negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated>

    private static let protocols = ["h2", "http/1.1"]

    private let context: NIOSSLContext
    private let one: HTTP1ServerChannel
    private let two: HTTP2Channel

    init(_ identity: TLSIdentity, _ one: HTTP1ServerChannel, _ two: HTTP2Channel) throws {
        var configuration = identity.configuration()
        configuration.applicationProtocols = Self.protocols
        context = try NIOSSLContext(configuration: configuration)
        self.one = one
        self.two = two
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let negotiation = Negotiation { result in
                switch result {
                case .negotiated("h2"): setupTwo(channel, logger)
                case .negotiated("http/1.1"), .fallback:
                    one.setup(channel: channel, logger: logger).map { .one($0) }
                case .negotiated(let other):
                    channel.close().flatMapThrowing { throw UnknownProtocol(name: other) }
                }
            }
            try channel.pipeline.syncOperations.addHandlers([
                NIOSSLServerHandler(context: context), negotiation,
            ])
            return Value(
                channel: channel, negotiated: negotiation.protocolNegotiationResult)
        }
    }

    private func setupTwo(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Negotiated> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(HTTP2HeadDeadline(one.headLimit))
        }.flatMap { two.setup(channel: channel, logger: logger).map { .two($0) } }
    }

    func handle(value: Value, logger: Logger) async {
        guard let negotiated = try? await value.negotiated.get() else { return }
        switch negotiated {
        case .one(let connection): await one.handle(value: connection, logger: logger)
        case .two(let connection):
            await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
                await two.handle(value: connection, logger: logger)
            }
        }
    }

    private struct UnknownProtocol: Error {
        let name: String
    }
}
