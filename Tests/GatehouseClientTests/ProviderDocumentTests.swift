// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import JOSE
import ProviderCore
import Synchronization
import Testing

/// What the provider says of itself is asked for when it must be, kept, and used while there is no
/// newer word.
@Suite("The provider's documents") struct ProviderDocumentTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
    }

    private func client(refreshing seconds: Int64 = 300) throws -> IdentityClient {
        var configuration = provider.configuration
        configuration.refreshesConfigurationAfterSeconds = seconds
        return try IdentityClient(
            configuration: configuration, store: store, keys: InMemoryKeyStore(),
            transport: wire, time: provider.clock)
    }

    /// How often all three were asked for.
    private var asked: Set<Int> {
        Set(
            ["/.well-known/openid-configuration", "/.well-known/gatehouse", "/jwks"]
                .map { wire.count($0) })
    }

    @Test("They are asked for once, whatever is done, and by the next start not at all")
    func cached() async throws {
        let client = try client()
        try await client.start()
        try await client.register(.credential(provider.testKey()))
        try await client.signIn(.deviceKey).refresh()
        #expect(asked == [1])
        provider.clock.advance(by: .seconds(299))
        try await self.client().start()
        #expect(asked == [1])
    }

    @Test("After their time they are asked for anew, once, and what has changed is seen")
    func refreshed() async throws {
        let client = try client()
        #expect(try await client.start().registersApps)
        provider.clock.advance(by: .seconds(301))
        for _ in 0..<3 { try await client.start() }
        #expect(asked == [2])
        // After the clock was set back, the documents still expire.
        provider.clock.advance(by: .seconds(-3600))
        for _ in 0..<3 { try await client.start() }
        #expect(asked == [3])
    }

    @Test("How long they serve is the app's to say", arguments: [(Int64(0), 3), (3600, 1)])
    func configured(_ seconds: Int64, _ times: Int) async throws {
        let client = try client(refreshing: seconds)
        for _ in 0..<3 {
            try await client.start()
            provider.clock.advance(by: .seconds(1200))
        }
        #expect(asked == [times])
    }

    @Test(
        "While there is no newer word the last one holds, however old, and damaged ones are replaced",
        arguments: [429, 500, 503])
    func unavailable(_ status: Int) async throws {
        try await client().start()
        let ailing = AilingTransport(wire)
        let later = try IdentityClient(
            configuration: provider.configuration, store: store, keys: InMemoryKeyStore(),
            transport: ailing, time: provider.clock)
        provider.clock.advance(by: .seconds(30 * 86_400))
        ailing.status = status
        #expect(try await later.start().registersApps)
        #expect(ailing.refused > 0)
        // A client without documents gets the error.
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("provider.") })
        try await store.write([1, 2, 3], to: name)
        let anew = try IdentityClient(
            configuration: provider.configuration, store: store, keys: InMemoryKeyStore(),
            transport: ailing, time: provider.clock)
        let code: IdentityError.Code = status == 429 ? .tooManyRequests : .providerUnavailable
        await #expect(throws: IdentityError.made(.generic, code)) { try await anew.start() }
        ailing.status = nil
        #expect(try await anew.start().registersApps)
    }

    @Test("Without a network they are waited for once, not before each request; later once more")
    func waitsOnce() async throws {
        let client = try client()
        try await client.start()
        provider.clock.advance(by: .seconds(301))
        wire.isDown = true
        let first = "/.well-known/openid-configuration"
        for _ in 0..<3 { try await client.start() }
        #expect(wire.count(first) == 2)
        provider.clock.advance(by: .seconds(30))
        for _ in 0..<3 { try await client.start() }
        #expect(wire.count(first) == 3)
        wire.isDown = false
        provider.clock.advance(by: .seconds(30))
        for _ in 0..<3 { try await client.start() }
        #expect(wire.count(first) == 4)
    }

    @Test("A word that is not this provider's is no word, also where an older one is kept")
    func foreign() async throws {
        try await client().start()
        let ailing = AilingTransport(wire)
        let later = try IdentityClient(
            configuration: provider.configuration, store: store, keys: InMemoryKeyStore(),
            transport: ailing, time: provider.clock)
        provider.clock.advance(by: .seconds(301))
        ailing.body = Array(#"{"issuer":"https://other.example","jwks_uri":"https://a/"}"#.utf8)
        await #expect(throws: IdentityError.made(.generic, .invalidAnswer)) {
            try await later.start()
        }
    }

    @Test("A signing key that is not among theirs has them fetched, and nobody is asked anything")
    func rotated() async throws {
        let client = try client(refreshing: 31_536_000)
        try await client.register(.credential(provider.testKey()))
        #expect(try await client.signIn(.deviceKey).idToken != nil)
        let tenant = try #require(try await provider.provider.tenant(named: "default"))
        // The next key is known already; the one after it is not.
        for expected in [1, 2] {
            provider.clock.advance(by: .seconds(60))
            let rotation = try await provider.provider.keys.rotate(
                .es256, of: tenant, atOnce: true)
            #expect(rotation == .rotated)
            let session = try await client.signIn(.deviceKey)
            #expect(session.idToken != nil)
            #expect(asked == [expected])
        }
    }
}

/// A provider that answers, and says nothing of use.
private final class AilingTransport: HTTPTransport {
    private struct State {
        var status: Int?
        var body: [UInt8]?
        var refused = 0
    }

    private let inner: any HTTPTransport
    private let state = Mutex(State())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// Of every answer; `nil` when it is well.
    var status: Int? {
        get { state.withLock { $0.status } }
        set { state.withLock { $0.status = newValue } }
    }
    /// Of every answer, which is 200 then.
    var body: [UInt8]? {
        get { state.withLock { $0.body } }
        set { state.withLock { $0.body = newValue } }
    }
    var refused: Int { state.withLock { $0.refused } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let (status, body) = state.withLock { state in
            if state.status != nil { state.refused += 1 }
            return (state.status, state.body)
        }
        if let status { return ResourceResponse(status: status, body: Array("{}".utf8)) }
        if let body { return ResourceResponse(status: 200, body: body) }
        return try await inner.response(to: request)
    }
}
