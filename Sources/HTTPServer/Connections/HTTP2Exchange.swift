// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdCore
import NIOCore
import ProviderCore

/// One request and its answer on one stream of HTTP/2, which Hummingbird reads and writes.
struct HTTP2Exchange: Sendable {
    let exchange: HTTPRequestHandler

    /// Answered with more to come: the stream cannot be used again.
    struct UnreadBody: Error {}
    /// A streamed body is not whole: the stream is reset.
    struct CutOff: Error {}

    @concurrent
    func run(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        channel.parent?.pipeline.fireUserInboundEventTriggered(HeadDeadline.HeadHasCome())
        let headers = RequestHeaders(request.headers)
        let peer = channel.remoteAddress?.ipAddress ?? channel.parent?.remoteAddress?.ipAddress
        let place = exchange.circumstances(of: headers, from: exchange.proxies.peer(peer))
        let line = exchange.dispatcher.line(request.method, request.head.path ?? "/")
        let (body, isRead) = await read(request, line, on: channel)
        let response = await exchange.answer(line, headers: headers, body: body, in: place)
        try await write(response, to: request, place, writer, on: channel)
        exchange.count(line, response, since: start)
        if !isRead { throw UnreadBody() }
    }

    private func read(
        _ request: Request, _ line: RequestLine, on channel: any Channel
    ) async -> (body: [UInt8]?, isRead: Bool) {
        do {
            switch try await BodyReader.read(request, limit: line.bodyLimit, on: channel) {
            case .read(let body): return (body, true)
            case .tooLarge(let isDrained): return (nil, isDrained)
            }
        } catch {
            // The stream was cut off: whatever is answered has no reader.
            return (nil, false)
        }
    }

    @concurrent
    private func write(
        _ response: ServerResponse, to request: Request, _ place: HTTPRequestHandler.Circumstances,
        _ writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        var headers = response.headers
        SecurityHeaders.add(to: &headers, isSecure: place.isSecure)
        // Handlers never set these, so they are appended without a search.
        headers.append(HTTPField(name: .requestID, value: place.facts.requestID))
        headers.append(HTTPField(name: .date, value: exchange.dates.text(at: place.facts.now)))
        if response.sendsContentLength {
            headers.append(HTTPField(name: .contentLength, value: String(response.body.count)))
        }
        let head = HTTPResponse(status: response.status, headerFields: headers)
        if request.method != .head, let stream = response.stream {
            let body = try await writer.writeHead(head)
            let isWhole = await exchange.succeeds(place.facts.requestID, on: channel) {
                try await send(stream, body, on: channel)
            }
            if !isWhole { throw CutOff() }
        } else if request.method == .head || response.body.isEmpty {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(
                response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        }
    }

    @concurrent
    private func send(
        _ stream: StreamedBody, _ body: some ResponseBodyWriter, on channel: any Channel
    ) async throws {
        var body = body
        try await stream.send { piece in
            let timer = channel.eventLoop.scheduleTask(in: HTTP1BodySender.stallLimit) {
                channel.close(mode: .all, promise: nil)
            }
            defer { timer.cancel() }
            try await body.write(ByteBuffer(bytes: piece))
        }
        try await body.finish(nil)
    }
}
