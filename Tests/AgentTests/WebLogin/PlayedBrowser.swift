import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import OAuth
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import UserClient

/// A person with a browser: opens the page that they are shown, over real loopback, and does there as a
/// test says.
final class PlayedBrowser: AgentConversation {
    /// What a page asks a provider for.
    struct Request: Sendable {
        /// Where it is posted, or the address that was opened.
        var action: String
        /// As the device signed it; `nil` where nothing was signed.
        var message: [UInt8]?
        var redirectURI: String
        var state: String
    }

    private let act: @Sendable (Request, WebClient) async throws -> Void
    private let seen = Mutex<[Request]>([])
    private let leaving: Bool
    private let web = WebClient()

    /// - Parameter leaving: Whether the person goes away once the page is shown.
    init(
        leaving: Bool = false,
        _ act: @escaping @Sendable (Request, WebClient) async throws -> Void
    ) {
        self.leaving = leaving
        self.act = act
    }

    /// One who signs in.
    static func signingIn(issuer: String? = PlayedProvider.issuer) -> PlayedBrowser {
        PlayedBrowser { request, web in
            let named = issuer.map { "&iss=" + FormEncoding.encode($0) } ?? ""
            let address = "\(request.redirectURI)?code=c1&state=\(request.state)\(named)"
            _ = try await web.send("GET", address)
        }
    }

    var requests: [Request] { seen.withLock { $0 } }

    func ask(_ question: AgentPrompt) async throws -> String {
        guard case .page(let url) = question else { throw PresentationError.cancelled }
        let request = try await read(url)
        seen.withLock { $0.append(request) }
        try await act(request, web)
        return ""
    }

    private struct NoSuchPage: Error {}

    private func read(_ url: String) async throws -> Request {
        guard url.hasPrefix("http://127.0.0.1:") else { return try opened(url) }
        let page = try await web.send("GET", url)
        let html = String(decoding: page.body, as: UTF8.self)
        guard page.status == 200, let message = Self.value(after: #"name="request" value=""#, html),
            let action = Self.value(after: #"action=""#, html)
        else { throw NoSuchPage() }
        guard
            let payload = message.split(separator: ".").dropFirst().first
                .flatMap({ Base64URL.decode($0) })
        else { throw NoSuchPage() }
        let claims = try JSONParser.parseObject(payload, maximumBytes: 65_536)
        return Request(
            action: action, message: Array(message.utf8),
            redirectURI: claims["redirect_uri"]?.string ?? "",
            state: claims["state"]?.string ?? "")
    }

    private func opened(_ url: String) throws -> Request {
        guard let mark = url.firstIndex(of: "?"),
            let fields = CallbackQuery.read(target: "/callback" + url[mark...])
        else { throw NoSuchPage() }
        return Request(
            action: url, redirectURI: fields["redirect_uri"] ?? "", state: fields["state"] ?? "")
    }

    private static func value(after start: String, _ html: String) -> String? {
        guard let found = html.firstRange(of: start) else { return nil }
        return html[found.upperBound...].split(separator: "\"").first.map(String.init)
    }

    func report(_ step: AgentStep) async {}

    let hasBrowser = true

    func end() async {
        guard !leaving else { return }
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }
}
