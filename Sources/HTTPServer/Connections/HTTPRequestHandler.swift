// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Logging
import NIOCore
import Primitives
import ProviderCore
import Synchronization

/// One request and its answer, whatever connection they travel on: the only place between HTTP
/// and endpoints. Shared by every connection of a listener.
final class HTTPRequestHandler: Sendable {
    let dispatcher: Dispatcher
    let proxies: TrustedProxies
    /// Whether people reach the provider by https, whatever the last part of the way is.
    let isSecure: Bool
    let ids: RequestIDs
    let dates: DateHeader
    let observer: (any RequestObserver)?
    private let hasWarned = Atomic(false)

    init(
        dispatcher: Dispatcher, proxies: TrustedProxies, ids: RequestIDs, dates: DateHeader,
        observer: (any RequestObserver)?
    ) {
        self.dispatcher = dispatcher
        self.proxies = proxies
        isSecure = dispatcher.provider.issuer.hasPrefix("https://")
        self.ids = ids
        self.dates = dates
        self.observer = observer
    }

    /// What is known before the message is read, and whether the person's side is https.
    struct Circumstances: Sendable {
        let facts: RequestMetadata
        let isSecure: Bool
    }

    func circumstances(of headers: RequestHeaders, from peer: TrustedProxies.Peer) -> Circumstances
    {
        warnOfForwarding(headers, from: peer)
        let facts = RequestMetadata(
            now: dispatcher.provider.clock.now, requestID: ids.next(),
            address: proxies.client(of: peer, headers: headers),
            userAgent: bounded(headers[.userAgent] ?? ""),
            languages: headers[.acceptLanguage].map(AcceptLanguage.parse) ?? [])
        return Circumstances(facts: facts, isSecure: isSecure)
    }

    /// Logged once: a proxy that is not listed, or a forged header.
    private func warnOfForwarding(_ headers: RequestHeaders, from peer: TrustedProxies.Peer) {
        guard !hasWarned.load(ordering: .relaxed), TrustedProxies.isIgnored(headers, of: peer),
            !hasWarned.exchange(true, ordering: .relaxed)
        else { return }
        dispatcher.provider.log.warning(
            """
            a peer that is not a trusted proxy sends forwarding headers; they are ignored, and all clients \
            behind it share one IP address. If it is your proxy, list it
            """,
            metadata: [
                "peer": "\(peer.address)", "set": "trusted-proxies: [\"\(peer.address)\"]",
            ])
    }

    private func bounded(_ userAgent: String) -> String {
        userAgent.utf8.count <= 512
            ? userAgent : String(decoding: userAgent.utf8.prefix(512), as: UTF8.self)
    }

    /// Answers a request that was read as far as it will be. `body` is `nil` when it was too long.
    func answer(
        _ line: RequestLine, headers: RequestHeaders, body: [UInt8]?, in place: Circumstances
    ) async -> ServerResponse {
        do {
            switch try await dispatcher.destination(
                of: line, headers: headers, facts: place.facts, isSecure: place.isSecure)
            {
            case .answer(let response): return response
            case .route(let route, var message):
                guard let body else { return tooLarge(message, limit: route.bodyLimit) }
                message.body = body
                return await dispatcher.respond(to: message, by: route)
            }
        } catch {
            return unavailable(error, place.facts)
        }
    }

    /// Whether a streamed body was sent whole. If not, the log says why, unless the client has gone
    /// away.
    @concurrent
    func succeeds(
        _ requestID: String, on channel: any Channel, _ send: @concurrent () async throws -> Void
    ) async -> Bool {
        do {
            try await send()
            return true
        } catch {
            if channel.isActive, !(error is CancellationError) {
                dispatcher.provider.log.error(
                    "answer cut off", metadata: ["request_id": "\(requestID)", "error": "\(error)"])
            }
            return false
        }
    }

    /// `route` is the pattern of a route or `unmatched`.
    func count(
        _ line: RequestLine, _ response: ServerResponse, since start: ContinuousClock.Instant
    ) {
        guard let observer else { return }
        let route = if case .found(let route, _) = line.match { route.pattern } else { "unmatched" }
        observer.observe(
            route: route, method: line.method, status: response.status.code,
            duration: ContinuousClock.now - start)
    }

    private func tooLarge(_ request: ServerRequest, limit: Int) -> ServerResponse {
        dispatcher.refuse(
            request, .contentTooLarge,
            Refusal(
                "body_too_large", "Send at most \(limit) bytes here.", reason: "body over limit"))
    }

    /// The store could not even say whose request this is.
    private func unavailable(_ error: any Error, _ facts: RequestMetadata) -> ServerResponse {
        dispatcher.provider.log.error(
            "request failed", metadata: ["request_id": "\(facts.requestID)", "error": "\(error)"])
        return Problem.response(
            .serviceUnavailable, code: "temporarily_unavailable",
            message: "Something failed on our side. Please try again.",
            requestID: facts.requestID, retryAfter: 1)
    }
}
