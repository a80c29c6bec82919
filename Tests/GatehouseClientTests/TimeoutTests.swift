// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
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
                timeoutSeconds: Self.patience), store: InMemoryCredentialStore(),
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
        // Whoever came to it would wait for ever.
        let server = try SilentServer(saying: "")
        defer { server.stop() }
        var configuration = ClientConfiguration(
            issuer: "https://127.0.0.1:\(server.port)", clientID: "app")
        configuration.proxy = .init(host: "127.0.0.1", port: 1)
        let client = try IdentityClient(
            configuration: configuration, store: InMemoryCredentialStore(),
            keys: InMemoryKeyStore())
        do {
            try await client.start()
            Issue.record("it was answered")
        } catch let error as IdentityError {
            #expect(error == .made(.generic, .notReachable), "\(error)")
            #expect(error.reason.contains("Connection refused"), "\(error)")
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
            #expect(error.reason.contains("no answer in time"), "\(error)")
        }
        #expect(ContinuousClock.now - start >= .seconds(Self.patience))
    }
}

/// The provider in this process, and everybody else over the network.
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
