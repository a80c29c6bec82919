// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOHTTP1
import ProviderCore

/// One HTTP/1.1 connection: reads a request whole, has it answered, writes the answer, goes on.
///
/// One request at a time. What a client sends ahead waits, and nothing more is read from the
/// socket while something waits or the client does not read its answers. A handler starts on the
/// event loop within the read that completes its request, and most end there.
final class HTTP1Connection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case waiting
        case reading(HTTP1Request)
        case answering(HTTP1Request)
        /// The last answer is on its way; what still comes is thrown away.
        case closing
    }

    /// Closes the connection when nothing has come for so long.
    private static let idleLimit = TimeAmount.seconds(60)
    /// Closes it when a body has not come after this time, however busily it drips.
    private static let bodyLimit = TimeAmount.seconds(20)
    /// How long, and for how many bytes, a sender that was refused early may take to notice.
    private static let lingering = (time: TimeAmount.seconds(1), bytes: 4 << 20)

    private let exchange: HTTPRequestHandler
    private let executor: EventLoopTaskExecutor
    /// Closes the connection when a head that has begun is not whole after this time. What comes in one read
    /// with the end of a request before it is timed by ``idleLimit`` until more of it comes.
    private let headLimit: TimeAmount
    private var context: ChannelHandlerContext?
    private var phase = Phase.waiting
    /// Parts of the requests that wait, oldest first.
    private var ahead = CircularBuffer<HTTPServerRequestPart>()
    private var failure: HTTPParserError?
    /// Whether to close the connection after the response to the last received request.
    private var isLast = false
    private var readIsHeld = false
    private var isTakingAhead = false
    private var isInRead = false
    private var hasFirstHead = false
    private var lastActivity = NIODeadline.now()
    private var idleTimer: Scheduled<Void>?
    private var deadline: Scheduled<Void>?
    /// Sends a streamed body.
    private var streaming: Task<Void, Never>?
    private var thrownAway = 0
    private lazy var peer = exchange.proxies.peer(context?.remoteAddress?.ipAddress)

    init(_ exchange: HTTPRequestHandler, headLimit: TimeAmount, on eventLoop: any EventLoop) {
        self.exchange = exchange
        self.headLimit = headLimit
        executor = EventLoopTaskExecutor(eventLoop)
    }

    // MARK: Beginning and end

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleIdleTimer(in: Self.idleLimit)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        idleTimer?.cancel()
        deadline?.cancel()
        streaming?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .closing
        ahead.removeAll()
        idleTimer?.cancel()
        deadline?.cancel()
        streaming?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: noMore(context)
        case ChannelEvent.inputClosed:
            if case .closing = phase { context.close(promise: nil) }
            noMore(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func noMore(_ context: ChannelHandlerContext) {
        isLast = true
        if case .waiting = phase, ahead.isEmpty { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        failure = error
        processAhead()
    }

    private func scheduleIdleTimer(in time: TimeAmount) {
        idleTimer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let limit = lastActivity + Self.idleLimit
            if case .answering = phase {
                scheduleIdleTimer(in: Self.idleLimit)
            } else if limit > .now() {
                scheduleIdleTimer(in: limit - .now())
            } else {
                context?.close(promise: nil)
            }
        }
    }

    private func scheduleDeadline(in time: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            context?.close(promise: nil)
        }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isInRead = true
        let part = unwrapInboundIn(data)
        if ahead.isEmpty, isReady { receive(part) } else { wait(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let hasParts = isInRead
        isInRead = false
        context.flush()
        switch phase {
        case .reading(let message) where !message.isWhole && deadline == nil:
            scheduleDeadline(in: Self.bodyLimit)
        // Bytes, and no head yet.
        case .waiting where !hasParts && deadline == nil: scheduleDeadline(in: headLimit)
        default: break
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if ahead.isEmpty, isReady { context.read() } else { readIsHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        processAhead()
        context.fireChannelWritabilityChanged()
    }

    /// Whether the next part can be used now.
    private var isReady: Bool {
        switch phase {
        case .answering: false
        case .waiting: context?.channel.isWritable ?? false
        case .reading, .closing: true
        }
    }

    private func wait(_ part: HTTPServerRequestPart) { ahead.append(part) }

    /// Uses what waited, until something is under way again.
    private func processAhead() {
        guard !isTakingAhead else { return }
        isTakingAhead = true
        while isReady, let part = ahead.popFirst() { receive(part) }
        isTakingAhead = false
        guard ahead.isEmpty, isReady else { return }
        if let failure, !isClosing { return refuse(failure) }
        if readIsHeld {
            readIsHeld = false
            context?.read()
        }
    }

    private var isClosing: Bool { if case .closing = phase { true } else { false } }

    private func receive(_ part: HTTPServerRequestPart) {
        switch (part, phase) {
        case (.head(let head), .waiting): begin(head)
        case (.body(let piece), .reading(let message)):
            message.append(piece)
            resume(message)
        case (.end, .reading(let message)):
            message.isWhole = true
            resume(message)
        case (.body(let piece), .closing):
            thrownAway += piece.readableBytes
            if thrownAway > Self.lingering.bytes { context?.close(promise: nil) }
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        lastActivity = .now()
        headHasCome()
        guard let message = HTTP1Request(head, from: peer, exchange) else {
            return refuse(.invalidMethod)
        }
        if message.expectsContinue, !message.isHopeless { sendContinue() }
        resume(message)
    }

    private func headHasCome() {
        deadline?.cancel()
        deadline = nil
        guard !hasFirstHead else { return }
        hasFirstHead = true
        context?.pipeline.fireUserInboundEventTriggered(HeadDeadline.HeadHasCome())
    }

    private func resume(_ message: HTTP1Request) {
        if message.isWhole || message.isHopeless {
            answer(message)
        } else {
            phase = .reading(message)
        }
    }

    // MARK: Answering

    private func answer(_ message: HTTP1Request) {
        guard let context else { return }
        deadline?.cancel()
        deadline = nil
        phase = .answering(message)
        message.start = .now
        let (line, headers, place) = (message.line, message.headers, message.place)
        let body = message.usableBody
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        Task.immediate(executorPreference: executor) { [exchange] in
            let response = await exchange.answer(line, headers: headers, body: body, in: place)
            connection.eventLoop.soon { connection.value.finish(response) }
        }
    }

    private func finish(_ response: ServerResponse) {
        guard case .answering(let message) = phase else { return }
        let place = message.place
        lastActivity = .now()
        let isHead = message.line.method == .head
        let stream = isHead ? nil : response.stream
        let closes =
            !message.isWhole || !message.keepsAlive || (isLast && ahead.isEmpty)
            || (stream != nil && message.isOldVersion)
        let answer = HTTP1ResponseWriter(
            response: response, requestID: place.facts.requestID,
            date: exchange.dates.text(at: place.facts.now), isSecure: place.isSecure,
            isHead: isHead, isOldVersion: message.isOldVersion,
            connection: closes ? .close : message.isOldVersion ? .keepAlive : .asUsual)
        if let stream {
            begin(stream, after: answer, closes: closes)
        } else {
            send(answer, closes: closes, isWhole: message.isWhole)
        }
        exchange.count(message.line, response, since: message.start)
        processAhead()
    }

    /// What is no HTTP is answered as well as may be, and ends the connection.
    private func refuse(_ error: HTTPParserError) {
        failure = nil
        let place = exchange.circumstances(of: [:], from: peer)
        let isTooMuch = error == .headerOverflow
        let response = Problem.response(
            isTooMuch ? .requestHeaderFieldsTooLarge : .badRequest,
            code: isTooMuch ? "headers_too_large" : "bad_request",
            message: isTooMuch
                ? "Send fewer or shorter headers." : "This is not HTTP/1.1 with one Host field.",
            requestID: place.facts.requestID)
        let answer = HTTP1ResponseWriter(
            response: response, requestID: place.facts.requestID,
            date: exchange.dates.text(at: place.facts.now), isSecure: place.isSecure,
            isHead: false, isOldVersion: false, connection: .close)
        send(answer, closes: true, isWhole: false)
    }

    private func send(_ answer: HTTP1ResponseWriter, closes: Bool, isWhole: Bool) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: 0)
        answer.write(into: &buffer)
        if closes {
            phase = .closing
            return sendLast(buffer, isWhole: isWhole, context)
        }
        phase = .waiting
        context.write(wrapOutboundOut(buffer), promise: nil)
        // Responses to requests of one read are flushed together, unless the channel's buffer is
        // full.
        if !isInRead || !context.channel.isWritable { context.flush() }
    }

    /// Starts a streamed body. The next request waits until it is complete.
    private func begin(_ stream: StreamedBody, after answer: HTTP1ResponseWriter, closes: Bool) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: 0)
        answer.write(into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        let sender = HTTP1BodySender(
            channel: context.channel, isChunked: !answer.isOldVersion)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let requestID = answer.requestID
        streaming = Task(executorPreference: executor) { [exchange] in
            let isWhole = await exchange.succeeds(requestID, on: sender.channel) {
                try await sender.send(stream)
            }
            connection.eventLoop.soon { connection.value.ended(isWhole: isWhole, closes: closes) }
        }
    }

    private func ended(isWhole: Bool, closes: Bool) {
        streaming = nil
        guard case .answering = phase, let context else { return }
        lastActivity = .now()
        let isDone = closes || (isLast && ahead.isEmpty)
        phase = isDone || !isWhole ? .closing : .waiting
        if !isWhole { return context.channel.reset() }
        if isDone { return context.close(promise: nil) }
        processAhead()
    }

    /// A sender that is still sending would lose the answer to a reset if we simply closed.
    private func sendLast(_ buffer: ByteBuffer, isWhole: Bool, _ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            guard let context = self.context else { return }
            guard !isWhole else { return context.close(promise: nil) }
            scheduleDeadline(in: Self.lingering.time)
            context.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: sent)
    }

    private func sendContinue() {
        guard let context else { return }
        let line = context.channel.allocator.buffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
    }
}

extension EventLoop {
    /// Now when this is the loop, else as soon as it comes to it.
    fileprivate func soon(_ work: @escaping @Sendable () -> Void) {
        if inEventLoop { work() } else { execute(work) }
    }
}
