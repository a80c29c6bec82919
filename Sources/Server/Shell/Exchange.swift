// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdCore
import IdentityProvider
import Logging
import NIOCore
import NIOHTTP1
import Primitives

/// One request and its answer on one connection: the only place between HTTP and endpoints.
struct Exchange: Sendable {
    let dispatcher: Dispatcher
    let proxies: TrustedProxies
    let isTLS: Bool
    let ids: RequestIDs
    let dates: DateHeader
    let observer: (any RequestObserver)?

    /// Answered with 413 and more to come: the connection cannot be used again.
    struct UnreadBody: Error {}

    @concurrent
    func run(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        let facts = facts(of: request, channel: channel)
        let (response, route, bodyIsRead) = try await answer(request, facts, channel)
        try await write(response, to: request, facts: facts, writer: writer, closes: !bodyIsRead)
        observer?.observe(
            route: route, method: request.method, status: response.status.code,
            duration: ContinuousClock.now - start)
        if !bodyIsRead { throw UnreadBody() }
    }

    private func facts(of request: Request, channel: any Channel) -> (RequestFacts, Bool) {
        let peer = channel.remoteAddress?.ipAddress ?? channel.parent?.remoteAddress?.ipAddress
        let (address, isSecure) = proxies.client(
            peer: peer ?? "local", headers: request.headers, isTLS: isTLS)
        let facts = RequestFacts(
            now: dispatcher.provider.clock.now, requestID: ids.next(), address: address,
            userAgent: bounded(request.headers[.userAgent] ?? ""),
            languages: request.headers[.acceptLanguage].map(AcceptLanguage.parse) ?? [])
        return (facts, isSecure)
    }

    private func bounded(_ userAgent: String) -> String {
        userAgent.utf8.count <= 512
            ? userAgent : String(decoding: userAgent.utf8.prefix(512), as: UTF8.self)
    }

    private func answer(
        _ request: Request, _ facts: (RequestFacts, Bool), _ channel: any Channel
    ) async throws -> (ServerResponse, route: String, bodyIsRead: Bool) {
        do {
            switch try await dispatcher.destination(
                for: request.head, facts: facts.0, isSecure: facts.1)
            {
            case .answer(let response):
                let mayHaveBody = request.method != .get && request.method != .head
                let isEmpty = !mayHaveBody || request.headers[.contentLength] == "0"
                return (response, "unmatched", isEmpty)
            case .route(let route, var message):
                switch try await BodyReader.read(request, limit: route.bodyLimit, on: channel) {
                case .tooLarge(let isDrained):
                    return (tooLarge(message, limit: route.bodyLimit), route.pattern, isDrained)
                case .read(let body):
                    message.body = body
                    return (await dispatcher.respond(to: message, by: route), route.pattern, true)
                }
            }
        } catch let error as HTTPParserError {
            throw error
        } catch {
            return (unavailable(error, facts.0), "unmatched", false)
        }
    }

    private func tooLarge(_ request: ServerRequest, limit: Int) -> ServerResponse {
        dispatcher.refuse(
            request, .contentTooLarge,
            Refusal(
                "body_too_large", "Send at most \(limit) bytes here.", reason: "body over limit"))
    }

    /// The store could not even say whose request this is, or the body ended too early.
    private func unavailable(_ error: any Error, _ facts: RequestFacts) -> ServerResponse {
        dispatcher.provider.log.error(
            "request failed", metadata: ["request_id": "\(facts.requestID)", "error": "\(error)"])
        return Problem.response(
            .serviceUnavailable, code: "temporarily_unavailable",
            message: "Something failed on our side. Please try again.",
            requestID: facts.requestID, retryAfter: 1)
    }

    @concurrent
    private func write(
        _ response: ServerResponse, to request: Request, facts: (RequestFacts, Bool),
        writer: consuming ResponseWriter, closes: Bool
    ) async throws {
        var headers = response.headers
        SecurityHeaders.add(to: &headers, isSecure: facts.1)
        // Handlers never set these, so they are appended without a search.
        headers.append(HTTPField(name: .requestID, value: facts.0.requestID))
        headers.append(HTTPField(name: .date, value: dates.text(at: facts.0.now)))
        if closes { headers.append(HTTPField(name: .connection, value: "close")) }
        if response.status != .noContent {
            headers.append(HTTPField(name: .contentLength, value: String(response.body.count)))
        }
        let head = HTTPResponse(status: response.status, headerFields: headers)
        if request.method == .head || response.body.isEmpty {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(
                response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        }
    }
}
