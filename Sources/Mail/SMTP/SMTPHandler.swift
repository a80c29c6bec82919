// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL

/// A channel handler that runs one ``SMTPDialogue`` over one connection and reports its outcome.
final class SMTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: SMTPDialogue
    private var parser = SMTPReplyParser()
    private var promise: EventLoopPromise<Void>?
    private let makeTLS: () throws -> NIOSSLClientHandler
    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - timeout: for the whole transaction, from the connection on.
    ///   - makeTLS: makes the handler that STARTTLS puts before this one.
    init(
        dialogue: SMTPDialogue, promise: EventLoopPromise<Void>, timeout: TimeAmount,
        makeTLS: @escaping () throws -> NIOSSLClientHandler
    ) {
        self.dialogue = dialogue
        self.promise = promise
        self.timeout = timeout
        self.makeTLS = makeTLS
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: timeout) {
            let (handler, context) = loopBound.value
            handler.end(
                context, .failure(SMTPError.timeout(awaiting: handler.dialogue.awaited)))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard promise != nil else { return }
        do {
            let replies = try parser.receive(unwrapInboundIn(data).readableBytesView)
            // We never send ahead, so there is never more than one.
            guard replies.count <= 1 else { throw SMTPError.unsolicitedReply }
            if let reply = replies.first { try perform(dialogue.receive(reply), context) }
        } catch { end(context, .failure(error)) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, .failure(SMTPError.connection("\(error)")))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context, .failure(SMTPError.closed))
        context.fireChannelInactive()
    }

    private func perform(
        _ action: SMTPDialogue.Action, _ context: ChannelHandlerContext
    ) throws {
        switch action {
        case .send(let bytes): write(bytes, context)
        case .startTLS:
            guard parser.isEmpty else { throw SMTPError.unsolicitedReply }
            try context.pipeline.syncOperations.addHandler(makeTLS(), position: .first)
            // What is written now waits in the TLS handler until the certificate is verified.
            try perform(dialogue.encrypted(), context)
        case .finish(let bytes):
            write(bytes, context)
            end(context, .success(()))
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, _ result: Result<Void, any Error>) {
        guard let promise else { return }
        self.promise = nil
        deadline?.cancel()
        promise.completeWith(result)
        context.close(promise: nil)
    }
}
