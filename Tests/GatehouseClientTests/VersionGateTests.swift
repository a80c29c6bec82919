// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// What an app is told that is too old, and what it says of itself.
@Suite("Versions") struct VersionGateTests {
    private let provider: InProcessProvider
    private let gate: Gate

    init() async throws {
        provider = try await InProcessProvider()
        gate = Gate(provider)
    }

    private func client(
        _ store: InMemoryCredentialStore = InMemoryCredentialStore(),
        _ keys: InMemoryKeyStore = InMemoryKeyStore()
    ) throws -> IdentityClient {
        var configuration = provider.configuration
        configuration.application = .init(identifier: "com.example.notes", version: "2.4.1")
        return try IdentityClient(
            configuration: configuration, store: store, keys: keys, transport: gate,
            time: provider.clock)
    }

    @Test("The app says which it is, to its provider and to nobody else")
    func says() async throws {
        let client = try client()
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        #expect(gate.fields.allSatisfy { $0.hasPrefix("com.example.notes/2.4.1 ") })
        let count = gate.fields.count
        #expect(count >= 5)
        _ = try await session.data(for: ResourceRequest("https://api.example.com/notes"))
        #expect(gate.fields.count == count)
    }

    @Test("Who is given no name says none")
    func saysNothing() async throws {
        let client = try provider.client(transport: gate)
        try await client.register(.credential(provider.testKey()))
        #expect(gate.fields.isEmpty)
    }

    @Test(
        "Too old to register: the error says what would do, in the old numbers too",
        arguments: [
            ("outdated_application", IdentityError.Code.outdatedApplication, 9004),
            ("outdated_system", .outdatedSystem, 9005),
        ])
    func registers(_ word: String, _ code: IdentityError.Code, _ number: Int) async throws {
        let keys = InMemoryKeyStore()
        let client = try client(InMemoryCredentialStore(), keys)
        gate.refuse("/registration", 403, word)
        do {
            try await client.register(.credential(provider.testKey()))
            Issue.record("registered")
        } catch let error as IdentityError {
            #expect(error.code == code && error.legacyCode == number)
            #expect(error.update?.minimumVersion == "3.0" && error.retry == .never)
            #expect(error.update?.updateURL == "https://example.com/update")
            #expect(error.audience == .user)
        }
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test("An app that nobody knows is a fault of whoever configured it")
    func unknown() async throws {
        gate.refuse("/registration", 403, "unknown_application")
        await #expect(throws: IdentityError.made(.registration, .configurationInvalid)) {
            try await client().register(.credential(provider.testKey()))
        }
    }

    @Test("Too old to renew: nothing is lost, and what is renewed is there once it is updated")
    func keeps() async throws {
        let client = try client()
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        provider.clock.advance(by: .seconds(3700))
        gate.refuse("/token", 400, "outdated_application")
        await #expect(throws: IdentityError.made(.authentication, .outdatedApplication)) {
            try await session.accessToken()
        }
        #expect(try await client.profiles.count == 1)
        gate.admit()
        _ = try await session.accessToken()
        #expect(gate.asked("/sign-in/challenge") == 1)
    }

    @Test(
        "What cannot be told of an app is refused at the start",
        arguments: [("", "1"), ("a b", "1"), ("notes", ""), ("notes", "1.2-beta"), ("ö", "1")])
    func names(_ identifier: String, _ version: String) {
        var configuration = provider.configuration
        configuration.application = .init(identifier: identifier, version: version)
        #expect(throws: IdentityError.made(.generic, .configurationInvalid)) {
            try configuration.validate()
        }
    }
}

/// Refuses apps in the provider's place, and keeps what they said of themselves.
private final class Gate: HTTPTransport {
    private struct State {
        var refusal: (path: String, answer: ResourceResponse)?
        var fields: [String] = []
        var asked: [String] = []
    }

    private let inner: InProcessProvider
    private let state = Mutex(State())

    init(_ inner: InProcessProvider) { self.inner = inner }

    var fields: [String] { state.withLock { $0.fields } }

    func asked(_ pathEnd: String) -> Int {
        state.withLock { $0.asked.count { $0.hasSuffix(pathEnd) } }
    }

    func refuse(_ pathEnd: String, _ status: Int, _ word: String) {
        let body = """
            {"error":"unauthorized_client","code":"\(word)","minimum_version":"3.0",
            "update_url":"https://example.com/update"}
            """
        let answer = ResourceResponse(status: status, body: Array(body.utf8))
        state.withLock { $0.refusal = (pathEnd, answer) }
    }

    func admit() { state.withLock { $0.refusal = nil } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let refusal = state.withLock { state in
            state.asked.append(request.url)
            let field = request.headers.first { $0.name == "gatehouse-application" }?.value
            if let field { state.fields.append(field) }
            return state.refusal
        }
        if let refusal, request.url.hasSuffix(refusal.path) { return refusal.answer }
        guard request.url.hasPrefix(InProcessProvider.issuer) else {
            return ResourceResponse(status: 200)
        }
        return try await inner.response(to: request)
    }
}
