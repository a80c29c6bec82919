// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// Who has come to the agent's socket, for whoever wants to know whether anybody is there.
final class AgentConnectionTracker: Sendable {
    private let state = Mutex((all: 0, open: 0))

    var counts: (all: Int, open: Int) { state.withLock { $0 } }

    fileprivate func arrived() {
        state.withLock { state in
            state.all += 1
            state.open += 1
        }
    }

    fileprivate func left() { state.withLock { $0.open -= 1 } }
}

/// Counts connections in the moment in which they are taken from the kernel: none is missed between it
/// and whoever serves them.
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
