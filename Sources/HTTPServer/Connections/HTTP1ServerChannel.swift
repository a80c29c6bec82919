// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// How an accepted connection becomes an ``HTTP1Connection``.
struct HTTP1ServerChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
    }

    let exchange: HTTPRequestHandler
    /// How long a head may take, once its first byte has come.
    let headLimit: TimeAmount

    /// Bytes of one field, bytes of all, and how many.
    static let headerLimits = (field: 16 * 1024, list: 32 * 1024, count: 100)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Self.headerLimits.field
            limits.maxHeaderListSize = Self.headerLimits.list
            limits.maxHeaderFieldCount = Self.headerLimits.count
            let decoder = HTTPRequestDecoder(
                leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(decoder),
                HTTP1Connection(exchange, headLimit: headLimit, on: channel.eventLoop),
            ])
            return Value(channel: channel)
        }
    }

    /// The handler does the work; this waits for its end, so that a server that drains waits too.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            _ = try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}
