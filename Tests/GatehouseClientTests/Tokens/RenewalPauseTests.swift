// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// A provider in need is left in peace while tokens still serve.
@Suite("Pauses between renewals") struct RenewalPauseTests {
    /// Without a wish of the provider's five seconds; otherwise what it asks for.
    @Test(
        "Renewing ahead that fails is not tried again before its time",
        arguments: [(nil, 5), ("300", 300), ("soon", 5)])
    func pauses(_ wish: String?, _ seconds: Int) async throws {
        let provider = try await InProcessProvider()
        let wire = BusyTransport(provider)
        let client = try provider.client(transport: wire)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let id = session.profile.id
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == .signedIn(id))

        let first = try await session.accessToken()
        let left = first.expiresAt.timeIntervalSince(provider.clock.now)
        provider.clock.advance(by: .seconds(left - 550))
        wire.refuse(retryAfter: wish)
        try await ask(session, first)
        #expect(await events.next() == .refreshFailed(id, .providerUnavailable))
        provider.clock.advance(by: .seconds(seconds - 1))
        try await ask(session, first)
        #expect(wire.refused == 1)
        provider.clock.advance(by: .seconds(1))
        try await ask(session, first)
        #expect(await events.next() == .refreshFailed(id, .providerUnavailable))
        #expect(wire.refused == 2)
        // A caller that needs a new token requests one in spite of the pause.
        await #expect(throws: IdentityError.made(.authentication, .providerUnavailable)) {
            try await session.refresh()
        }
        #expect(wire.refused == 3)
    }

    /// Asks often, and lets whatever that began go on.
    private func ask(_ session: UserSession, _ token: AccessToken) async throws {
        for _ in 0..<50 {
            #expect(try await session.accessToken(validFor: .zero) == token)
            await Task.yield()
        }
    }
}

/// A provider that gives no tokens when it is told so.
private final class BusyTransport: HTTPTransport {
    private let inner: InProcessProvider
    private let state = Mutex((headers: [String: String]?.none, refused: 0))

    init(_ inner: InProcessProvider) { self.inner = inner }

    /// How often it was asked in vain.
    var refused: Int { state.withLock { $0.refused } }

    /// From now on.
    func refuse(retryAfter wish: String?) {
        state.withLock { $0.headers = wish.map { ["retry-after": $0] } ?? [:] }
    }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let headers: [String: String]? = state.withLock { state in
            guard let headers = state.headers, request.url.hasSuffix("/token") else { return nil }
            state.refused += 1
            return headers
        }
        guard let headers else { return try await inner.response(to: request) }
        return ResourceResponse(status: 503, headers: headers)
    }
}
