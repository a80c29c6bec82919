// SPDX-License-Identifier: Apache-2.0
import Synchronization
import UserClient

/// Hands requests on to the provider, shows them and their answers, and can lose one.
final class TourExchange: Sendable {
    private struct State {
        /// Where the provider listens; `nil` before it does.
        var port: Int?
        var losing: String?
    }

    private let web = WebClient()
    private let screen: TourScreen
    private let state = Mutex(State())

    init(screen: TourScreen) { self.screen = screen }

    func connect(to port: Int) { state.withLock { $0.port = port } }

    /// The answer to the next request at that path gets lost.
    func loseAnswer(at path: String) { state.withLock { $0.losing = path } }

    /// - Returns: `nil` when no answer comes.
    func answer(to request: WebRequest) async -> WebClient.Response? {
        guard let port = state.withLock({ $0.port }) else { return nil }
        // Discovery and keys, which every client reads first, are no part of the story.
        let path = String(request.url.prefix { $0 != "?" })
        let isShown = !path.hasPrefix("/.well-known/") && !path.hasSuffix("/jwks")
        if isShown {
            screen.sent("\(request.method) \(path)", TourMessage.shown(request.body ?? []))
        }
        let answer = try? await web.send(
            request.method, "http://127.0.0.1:\(port)\(request.url)", headers: request.headers,
            body: request.body)
        guard let answer, !loses(path) else {
            if isShown { screen.lost() }
            return nil
        }
        if isShown { screen.received(answer.status, TourMessage.shown(answer.body)) }
        return answer
    }

    private func loses(_ path: String) -> Bool {
        state.withLock { state in
            guard state.losing == path else { return false }
            state.losing = nil
            return true
        }
    }
}
