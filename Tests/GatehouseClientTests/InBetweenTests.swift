// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// An intermediary responds instead of the provider: a gateway, a firewall, a maintenance page, a
/// redirect to another server. Its responses do not count as the provider's.
@Suite("Answers of somebody in between") struct InBetweenTests {
    /// What they answer.
    struct Page: Sendable, CustomTestStringConvertible {
        let status: Int
        var type: String? = "text/html"
        var text = "<html><title>Sorry</title></html>"
        var location: String?
        var testDescription: String { "\(status) \(type ?? "-") \(text.count)" }

        static let all: [Page] = [
            .init(status: 200), .init(status: 200, type: nil, text: ""),
            .init(status: 204, type: nil, text: ""),
            .init(status: 302, text: "", location: "https://elsewhere.example/?token=1"),
            .init(status: 307, location: "/sign-in"), .init(status: 401), .init(status: 403),
            .init(status: 403, type: "application/json", text: #"{"message":"blocked"}"#),
            .init(status: 404), .init(status: 407), .init(status: 410, text: "[1]"),
        ]

        var answer: ResourceResponse {
            var headers: [String: String] = [:]
            headers["content-type"] = type
            headers["location"] = location
            return ResourceResponse(status: status, headers: headers, body: Array(text.utf8))
        }
    }

    private let provider: InProcessProvider
    private let gateway: Gateway
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()

    init() async throws {
        provider = try await InProcessProvider()
        gateway = Gateway(provider)
    }

    private func client() throws -> IdentityClient {
        try provider.client(store: store, keys: keys, transport: gateway)
    }

    private func expectNoWord(
        _ domain: IdentityError.Domain? = nil, _ ask: () async throws -> Void
    ) async {
        do {
            try await ask()
            Issue.record("it was taken for the provider's word")
        } catch let error as IdentityError {
            #expect(error.code == .invalidAnswer && error.retry == .later, "\(error)")
            #expect(error.serverCode == nil && !"\(error)".contains("token=1"), "\(error)")
            if let domain { #expect(error.domain == domain, "\(error)") }
        } catch { Issue.record("\(error)") }
    }

    @Test(
        "Whoever answers in place of the token endpoint signs nobody out", arguments: Page.all)
    func renewal(_ page: Page) async throws {
        let client = try client()
        let session = try await client.signInByBrowser("anna", at: provider)
        let id = session.profile.id
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == .signedIn(id))
        provider.clock.advance(by: .seconds(3700))
        gateway.answer("/token", page.answer)
        for _ in 0..<2 { await expectNoWord { _ = try await session.accessToken() } }
        for _ in 0..<2 {
            #expect(await events.next() == .refreshFailed(id, .invalidAnswer))
        }
        #expect(try await client.session() === session)
        // A caller gets the session, and the person is not prompted.
        #expect(try await client.requireSession(asking: NeverAsking()) === session)
        gateway.leave()
        #expect(try await session.accessToken().scopes.contains("openid"))
    }

    @Test(
        "Nor does whoever answers in place of the challenge for a key", arguments: Page.all)
    func key(_ page: Page) async throws {
        let client = try client()
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        try await provider.revokeGrants(of: session.profile.userID)
        provider.clock.advance(by: .seconds(3700))
        gateway.answer("/sign-in/challenge", page.answer)
        await expectNoWord { _ = try await session.accessToken() }
        #expect(try await client.session() === session)
        gateway.leave()
        #expect(try await session.accessToken().scopes.contains("openid"))
    }

    @Test(
        "What was known of the provider serves on, however old; without it, it is said",
        arguments: Page.all)
    func documents(_ page: Page) async throws {
        try await client().start()
        provider.clock.advance(by: .seconds(30 * 86_400))
        for path in ["/openid-configuration", "/gatehouse", "/jwks"] {
            gateway.answer(path, page.answer)
            #expect(try await client().start().registersApps)
        }
        try await store.forgetProviders()
        await expectNoWord(.generic) { _ = try await client().start() }
        gateway.leave()
        #expect(try await client().start().registersApps)
    }

    @Test(
        "A registration that somebody else answers has no end yet, and comes to one",
        arguments: Page.all)
    func registration(_ page: Page) async throws {
        let (client, id) = (try client(), UUID())
        let person = try provider.testKey()
        gateway.answer("/registration", page.answer)
        await expectNoWord {
            try await client.register(.credential(person), idempotencyKey: id)
        }
        #expect(try await client.pendingRegistrations.map(\.idempotencyKey) == [id])
        gateway.leave()
        try await client.register(.credential(person), idempotencyKey: id)
        #expect(try await client.pendingRegistrations.isEmpty)
        try await client.signIn(.deviceKey)
    }

    @Test("A removal that somebody else answers is done here, and says so", arguments: Page.all)
    func removal(_ page: Page) async throws {
        // An answer without a body that agrees is one.
        guard page.status != 204, page.status != 200 || !page.text.isEmpty else { return }
        let client = try client()
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        gateway.answer("/installations/current", page.answer)
        guard case .localOnly(let error) = try await client.remove(profile.id) else {
            Issue.record("the provider does not know")
            return
        }
        #expect(error.code == .invalidAnswer && error.retry == .later, "\(error)")
        #expect(try await client.profiles.isEmpty)
    }
}

private struct NeverAsking: SignInRequesting {
    func requestSignIn(_ profile: Profile?, at client: IdentityClient) async throws {
        Issue.record("asked")
    }
}

/// Answers one address in the provider's place, until it leaves.
private final class Gateway: HTTPTransport {
    private let inner: InProcessProvider
    private let state = Mutex<(path: String, answer: ResourceResponse)?>(nil)

    init(_ inner: InProcessProvider) { self.inner = inner }

    func answer(_ pathEnd: String, _ answer: ResourceResponse) {
        state.withLock { $0 = (pathEnd, answer) }
    }

    func leave() { state.withLock { $0 = nil } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        if let (path, answer) = state.withLock({ $0 }), request.url.hasSuffix(path) {
            return answer
        }
        return try await inner.response(to: request)
    }
}
