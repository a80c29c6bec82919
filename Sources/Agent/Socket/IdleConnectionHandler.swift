// SPDX-License-Identifier: Apache-2.0
import AgentClient
package import JOSE
package import NIOCore

/// Ends a connection on which no whole request has come within ten seconds, and one that is still
/// open ten seconds after its last reply. In between people think for as long as they like.
package final class IdleConnectionHandler: ChannelDuplexHandler {
    package typealias InboundIn = JSONObject
    package typealias InboundOut = JSONObject
    package typealias OutboundIn = JSONObject
    package typealias OutboundOut = JSONObject

    package static let patience = TimeAmount.seconds(10)

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    package init(patience: TimeAmount = IdleConnectionHandler.patience) {
        self.patience = patience
    }

    package func handlerAdded(context: ChannelHandlerContext) { wait(context) }

    package func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline?.cancel()
        context.fireChannelRead(data)
    }

    package func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        switch AgentResponse(unwrapOutboundIn(data)) {
        case .result, .refusal: wait(context)
        case .step, .ask, nil: break
        }
        context.write(data, promise: promise)
    }

    private func wait(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: patience) {
            channel.close(promise: nil)
        }
    }
}
