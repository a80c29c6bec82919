// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import Logging
import NIOCore

/// Connections that the gate lets in, each with the time that its first request may take to come.
struct GatedServerChannel<Inner: ServerChildChannel>: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// `nil` if the gate refused the connection.
        let inner: Inner.Value?
    }

    let gate: ConnectionGate
    let inner: Inner

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard gate.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, inner: nil))
        }
        do {
            try channel.pipeline.syncOperations.addHandler(
                HeadDeadline(.seconds(gate.limits.headSeconds)))
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
        return inner.setup(channel: channel, logger: logger).map {
            Value(channel: channel, inner: $0)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard let connection = value.inner else { return }
        await inner.handle(value: connection, logger: logger)
    }
}

/// Closes a connection on which no request's head has come in time. TLS and HTTP/2 come behind it, so their
/// handshakes count.
final class HeadDeadline: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    /// Sent through the pipeline when the first head is whole.
    struct HeadHasCome: Sendable {}

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        // From here on, not through TLS: that would wait for an answer of the peer.
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is HeadHasCome else { return context.fireUserInboundEventTriggered(event) }
        timer?.cancel()
        timer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }
}
