// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// Servers that take a connection and never come to an end, over real sockets. The time-out is the
/// least that can be configured: a second.
@Suite("Requests that outlast their time", .timeLimit(.minutes(10))) struct TimeoutTests {
    /// Not a word, half a head, and a head with half a body.
    static let beginnings = [
        "", "HTTP/1.1 200 OK\r\ncontent-", "HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"issuer",
    ]

    private static let patience: Int64 = 1

    @Test(
        "A provider that never answers is not reachable, and later it may be", arguments: beginnings
    )
    func provider(_ words: String) async throws {
        let server = try SilentServer(saying: words)
        defer { server.stop() }
        let client = try IdentityClient(
            configuration: ClientConfiguration(
                issuer: "http://127.0.0.1:\(server.port)", clientID: "app",
                timeoutSeconds: Self.patience), store: InMemorySecureStore(),
            keys: InMemoryKeyStore())
        try await expectTimeout(in: .generic) { _ = try await client.start() }
    }

    @Test("Nor is a resource, and the session stands", arguments: beginnings)
    func resource(_ words: String) async throws {
        let (server, provider) = (try SilentServer(saying: words), try await InProcessProvider())
        defer { server.stop() }
        let client = try provider.client(
            transport: TwoWays(
                provider: provider, others: try NetworkTransport(timeout: .seconds(Self.patience))))
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        try await expectTimeout(in: .resource) {
            _ = try await session.data(
                for: ResourceRequest("http://127.0.0.1:\(server.port)/notes"))
        }
        #expect(try await session.accessToken().scopes.contains("openid"))
    }

    @Test("A proxy that is away is the only way: nobody is asked past it")
    func proxyAway() async throws {
        // A request to it would wait without end.
        let server = try SilentServer(saying: "")
        defer { server.stop() }
        var configuration = ClientConfiguration(
            issuer: "https://127.0.0.1:\(server.port)", clientID: "app")
        configuration.proxy = .init(host: "127.0.0.1", port: 1)
        let client = try IdentityClient(
            configuration: configuration, store: InMemorySecureStore(),
            keys: InMemoryKeyStore())
        do {
            try await client.start()
            Issue.record("it was answered")
        } catch let error as IdentityError {
            #expect(error == .made(.generic, .notReachable), "\(error)")
            #expect(error.reason.contains("Connection refused"), "\(error)")
        }
    }

    @Test(
        "A proxy's refusal is reported; the provider is not reached without the proxy",
        arguments: [
            (
                "407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm=\"x\"",
                "requires authentication"
            ), ("403 Forbidden", "refused the connection"), ("302 Found", "refused the connection"),
            ("502 Bad Gateway", "refused the connection"),
        ])
    func proxyRefuses(_ head: String, _ words: String) async throws {
        let proxy = try SilentServer(saying: "HTTP/1.1 \(head)\r\ncontent-length: 0\r\n\r\n")
        defer { proxy.stop() }
        var configuration = ClientConfiguration(
            issuer: "https://127.0.0.1:1", clientID: "app", timeoutSeconds: 20)
        configuration.proxy = .init(host: "127.0.0.1", port: proxy.port)
        let client = try IdentityClient(
            configuration: configuration, store: InMemorySecureStore(),
            keys: InMemoryKeyStore())
        do {
            try await client.start()
            Issue.record("it was answered")
        } catch let error as IdentityError {
            #expect(error == .made(.generic, .notReachable) && error.retry == .later, "\(error)")
            #expect(error.reason.contains(words), "\(error)")
        }
    }

    @Test("A proxy that never answers is waited for as long as a provider")
    func proxySilent() async throws {
        let proxy = try SilentServer(saying: "")
        defer { proxy.stop() }
        var configuration = ClientConfiguration(
            issuer: "https://127.0.0.1:1", clientID: "app", timeoutSeconds: Self.patience)
        configuration.proxy = .init(host: "127.0.0.1", port: proxy.port)
        let client = try IdentityClient(
            configuration: configuration, store: InMemorySecureStore(),
            keys: InMemoryKeyStore())
        try await expectTimeout(in: .generic) { _ = try await client.start() }
    }

    @Test("A redirect is not followed, whoever it comes from, and a token goes no further")
    func redirected() async throws {
        let other = try SilentServer(saying: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        defer { other.stop() }
        let place = "http://127.0.0.1:\(other.port)/"
        let server = try SilentServer(
            saying: "HTTP/1.1 307 Temporary Redirect\r\nlocation: \(place)\r\n"
                + "content-length: 0\r\n\r\n")
        defer { server.stop() }
        let provider = try await InProcessProvider()
        let client = try provider.client(
            transport: TwoWays(provider: provider, others: try NetworkTransport()))
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let answer = try await session.data(
            for: ResourceRequest("http://127.0.0.1:\(server.port)/notes"))
        #expect(answer.status == 307 && answer.header("location") == place)
        #expect(other.connectionCount == 0)
        let elsewhere = try IdentityClient(
            configuration: ClientConfiguration(
                issuer: "http://127.0.0.1:\(server.port)", clientID: "app"),
            store: InMemorySecureStore(), keys: InMemoryKeyStore())
        await #expect(throws: IdentityError.made(.generic, .invalidAnswer)) {
            try await elsewhere.start()
        }
        #expect(other.connectionCount == 0)
    }

    @Test(
        "An answer that is longer than anybody reads is cut off, said or not said before",
        arguments: ["content-length: 6000000\r\n", ""])
    func endless(_ length: String) async throws {
        let server = try SilentServer(
            saying: "HTTP/1.1 200 OK\r\n\(length)\r\n"
                + String(repeating: "0123456789", count: 500_000))
        defer { server.stop() }
        let client = try IdentityClient(
            configuration: ClientConfiguration(
                issuer: "http://127.0.0.1:\(server.port)", clientID: "app", timeoutSeconds: 60),
            store: InMemorySecureStore(), keys: InMemoryKeyStore())
        do {
            try await client.start()
            Issue.record("it was read")
        } catch let error as IdentityError {
            #expect(error.reason.contains("too long"), "\(error)")
            #expect(error == .made(.generic, .invalidAnswer) && error.retry == .later, "\(error)")
        }
        let provider = try await InProcessProvider()
        let ours = try provider.client(
            transport: TwoWays(provider: provider, others: try NetworkTransport()))
        try await ours.register(.credential(provider.testKey()))
        let session = try await ours.signIn(.deviceKey)
        do {
            _ = try await session.data(
                for: ResourceRequest("http://127.0.0.1:\(server.port)/film"))
            Issue.record("it was read")
        } catch let error as IdentityError {
            #expect(error == .made(.resource, .invalidAnswer) && error.retry == .never, "\(error)")
        }
    }

    /// It is not sooner than it was told to be; how much later depends on the machine.
    private func expectTimeout(
        in domain: IdentityError.Domain, _ body: () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        do {
            try await body()
            Issue.record("it was answered")
        } catch let error as IdentityError {
            #expect(error.domain == domain && error.code == .notReachable, "\(error)")
            #expect(error.retry == .later && error.audience == .user)
            #expect(error.reason.contains("no response in time"), "\(error)")
        }
        #expect(ContinuousClock.now - start >= .seconds(Self.patience))
    }
}

/// The provider in this process, and all other hosts over the network.
private struct TwoWays: HTTPTransport {
    let provider: InProcessProvider
    let others: NetworkTransport

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        guard request.url.hasPrefix(InProcessProvider.issuer + "/") else {
            return try await others.response(to: request)
        }
        return try await provider.response(to: request)
    }
}
