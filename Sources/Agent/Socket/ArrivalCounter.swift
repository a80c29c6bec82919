// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Counts connections when they are accepted from the kernel: none is missed before its handler
/// exists.
final class ArrivalCounter: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let visits: AgentConnectionTracker

    init(_ visits: AgentConnectionTracker) { self.visits = visits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let child = unwrapInboundIn(data)
        visits.arrived()
        child.closeFuture.whenComplete { [visits] _ in visits.left() }
        context.fireChannelRead(data)
    }
}
