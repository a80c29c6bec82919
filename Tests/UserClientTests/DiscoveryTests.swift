// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing
import UserClient

@Suite("Discovery by the client")
struct DiscoveryTests {
    @Test("The endpoints of an issuer are read")
    func reads() async throws {
        let provider = try ScriptedProvider()
        let directory = try await provider.client.discover(ScriptedProvider.issuer)
        #expect(directory.token == "https://login.example.com/token")
        #expect(directory.namesIssuerInResponse)
    }

    @Test(
        "An issuer that is not https, nor http on this machine, is never asked",
        arguments: [
            "http://login.example.com", "ftp://login.example.com", "login.example.com", "",
            "https://", "http://localhost.example.com", "http://127.0.0.1.example.com",
            "http://user@localhost", "http://localhost@example.com", "https://a b",
            "https://login.example.com/", "http://[::2]:8080", "http://[::1].example.com",
            "https://127.0.0.1:65536", "https://login.example.com:99999", "https://[::1]:70000",
            "https://login.example.com:-1", "https://login.example.com:port",
        ])
    func refusesIssuer(issuer: String) async throws {
        let provider = try ScriptedProvider()
        await #expect(throws: UserClientError.insecureIssuer(issuer)) {
            try await provider.client.discover(issuer)
        }
        #expect(provider.urls.isEmpty)
    }

    @Test(
        "Loopback may be http",
        arguments: ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080/p/dev"])
    func acceptsLoopback(issuer: String) { #expect(ProviderEndpoints.isProtected(issuer)) }

    @Test(
        "A port is what follows the host, and no colon elsewhere",
        arguments: [
            "https://[2001:db8::1]", "https://[2001:db8::1]:65535/a:99999", "https://a?b=c:99999",
            "https://login.example.com:", "https://user:99999@login.example.com",
        ])
    func acceptsPort(address: String) { #expect(ProviderEndpoints.isProtected(address)) }

    @Test(
        "Metadata that is not this issuer's, or leads astray, is refused",
        arguments: [
            ("issuer", JSONValue.string("https://evil.example.com")),
            ("issuer", "https://login.example.com/"), ("issuer", .null),
            ("token_endpoint", "http://login.example.com/token"), ("token_endpoint", 7),
            ("jwks_uri", "file:///etc/passwd"), ("device_authorization_endpoint", "javascript:x"),
        ])
    func refusesMetadata(name: String, value: JSONValue) async throws {
        let provider = try ScriptedProvider()
        provider.set(metadata: name, value)
        await #expect(throws: UserClientError.self) {
            try await provider.client.discover(ScriptedProvider.issuer)
        }
    }

    @Test("Metadata without a token endpoint is refused")
    func refusesMissing() async throws {
        let provider = try ScriptedProvider()
        provider.set(metadata: "token_endpoint", nil)
        await #expect(throws: UserClientError.invalidAnswer("token_endpoint is missing")) {
            try await provider.client.discover(ScriptedProvider.issuer)
        }
    }
}
