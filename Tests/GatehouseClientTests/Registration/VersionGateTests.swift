// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
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
        _ store: InMemorySecureStore = InMemorySecureStore(),
        _ keys: InMemoryKeyStore = InMemoryKeyStore(), version: String = "2.4.1",
        of app: String = "com.example.notes"
    ) throws -> IdentityClient {
        var configuration = provider.configuration
        configuration.application = .init(identifier: app, version: version)
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
        let client = try client(InMemorySecureStore(), keys)
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

    // MARK: By the provider's own rules

    /// Sets the minimum versions for use and for registration.
    private func admit(from use: String, registering: String) async throws {
        var rules = AppVersionPolicy()
        rules.id = "com.example.notes"
        rules.minimumVersion = use
        rules.registrationVersion = registering
        rules.updateURL = "https://example.com/update"
        try await provider.change { [rules] in $0.policy.registration.applications = [rules] }
    }

    @Test("The project's rules refuse an old app what they say, and let it in once it is updated")
    func rules() async throws {
        try await admit(from: "2.0", registering: "2.4")
        do {
            try await client(version: "2.3").register(.credential(provider.testKey()))
            Issue.record("registered")
        } catch let error as IdentityError {
            #expect(error == .made(.registration, .outdatedApplication))
            #expect(error.update?.minimumVersion == "2.4")
            #expect(error.update?.updateURL == "https://example.com/update")
        }
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        let old = try client(store, keys)
        let profile = try await old.register(.credential(provider.testKey())).profile
        let session = try await old.signIn(.deviceKey)
        try await admit(from: "3.0", registering: "3.0")
        // What it has is good as long as it is.
        _ = try await session.accessToken()
        provider.clock.advance(by: .seconds(3700))
        await #expect(throws: IdentityError.made(.authentication, .outdatedApplication)) {
            try await session.accessToken()
        }
        #expect(try await old.profiles == [profile])
        let updated = try client(store, keys, version: "3.0")
        #expect(try await updated.session().accessToken().scopes.contains("openid"))
    }

    @Test("Nor does an old app use entitlements up with the token that it has")
    func entitlements() async throws {
        var configuration = provider.configuration
        configuration.application = .init(identifier: "com.example.notes", version: "2.4.1")
        configuration.scopes += ["entitlements"]
        let client = try IdentityClient(
            configuration: configuration, store: InMemorySecureStore(),
            keys: InMemoryKeyStore(), transport: gate, time: provider.clock)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        _ = try await session.currentEntitlements()
        try await admit(from: "3.0", registering: "3.0")
        await #expect(throws: IdentityError.made(.resource, .outdatedApplication)) {
            try await session.currentEntitlements()
        }
        await #expect(throws: IdentityError.made(.resource, .outdatedApplication)) {
            try await session.consume("sms", idempotencyKey: UUID())
        }
    }

    @Test("Whoever leaves is let go, however old the app is")
    func leaves() async throws {
        let client = try client()
        let profile = try await client.register(.credential(provider.testKey())).profile
        _ = try await client.signIn(.deviceKey)
        try await admit(from: "3.0", registering: "3.0")
        #expect(try await client.remove(profile.id).isComplete)
        #expect(try await client.profiles.isEmpty)
    }

    @Test("So do its rules for systems, and for apps that it does not list")
    func systems() async throws {
        var system = SystemVersionPolicy()
        system.name = "linux"
        system.minimumVersion = "99999"
        try await provider.change { [system] in $0.policy.registration.systems = [system] }
        do {
            try await client().register(.credential(provider.testKey()))
            Issue.record("registered")
        } catch let error as IdentityError {
            #expect(error == .made(.registration, .outdatedSystem))
            #expect(error.update?.minimumVersion == "99999")
        }
        try await provider.change {
            $0.policy.registration.systems = []
            $0.policy.registration.listedApplicationsOnly = true
        }
        await #expect(throws: IdentityError.made(.registration, .configurationInvalid)) {
            try await client(of: "com.example.other").register(.credential(provider.testKey()))
        }
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
