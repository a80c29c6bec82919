// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import Testing

@Suite struct ClosedByDefaultTests {
    private func project(_ name: String = "default", of provider: Provider) async throws -> Project
    {
        try #require(try await provider.store.projects.project(named: name))
    }

    private func apply(_ document: String, at issuer: String) async throws -> Project {
        let provider = try await TestProvider.empty(issuer: issuer)
        try await ProviderBootstrap.ensureDefaults(provider)
        let json = try JSONParser.parse(
            Array(#"{"projects":[{"name":"a"\#(document)}]}"#.utf8), maximumBytes: 10_000)
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "local")
        _ = try await StateReconciler(provider).apply(try StateParser.parse(json), facts: facts)
            .get()
        return try await project("a", of: provider)
    }

    @Test(
        "Attack 81: at an issuer for others the first project is of production, closed, and without test keys",
        arguments: [
            "https://login.example.com", "https://localhost:8443", "http://10.0.0.5:8080",
            "http://127.example.com", "http://localhost.example.com",
            "http://login.example.com/127.0.0.1",
        ])
    func others(_ issuer: String) async throws {
        let provider = try await TestProvider.empty(issuer: issuer)
        try await ProviderBootstrap.ensureDefaults(provider)
        let made = try await project(of: provider)
        #expect(made.environment == .production)
        #expect(!made.policy.selfRegistration && !made.believesTestKeys)
    }

    @Test(
        "At a developer's own issuer it is of development, and open",
        arguments: [
            "http://localhost:8080", "http://127.0.0.1:9", "http://[::1]:9", "http://a.localhost",
        ])
    func developers(_ issuer: String) async throws {
        let provider = try await TestProvider.empty(issuer: issuer)
        try await ProviderBootstrap.ensureDefaults(provider)
        let made = try await project(of: provider)
        #expect(made.environment == .development && made.policy.selfRegistration)
    }

    @Test("What is said at the first start holds, and only then")
    func said() async throws {
        let provider = try await TestProvider.empty(issuer: "https://login.example.com")
        try await ProviderBootstrap.ensureDefaults(provider, environment: .development)
        try await ProviderBootstrap.ensureDefaults(provider, environment: .production)
        let made = try await project(of: provider)
        #expect(made.environment == .development && made.policy.selfRegistration)
    }

    @Test(
        "Attack 81: a state file opens a project of production only by saying so",
        arguments: [
            ("", false), (#","policy":{"access_token_lifetime":600}"#, false),
            (#","policy":{"self_registration":true}"#, true),
            (#","environment":"development""#, false),
            (#","environment":"development","policy":{"self_registration":false}"#, false),
        ])
    func stateFile(_ document: String, _ isOpen: Bool) async throws {
        let made = try await apply(document, at: "https://login.example.com")
        #expect(made.policy.selfRegistration == isOpen)
    }
}
