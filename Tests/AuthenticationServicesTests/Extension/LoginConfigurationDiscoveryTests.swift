// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import JOSE
import PlatformSSO
import Synchronization
import Testing
import UserClient

/// A login configuration that is made of the provider's metadata.
@Suite struct LoginConfigurationDiscoveryTests {
    /// A fake provider with one response to all requests.
    private final class Site: WebTransport {
        let reply: WebResponse?
        let asked = Mutex<[String]>([])

        init(_ reply: WebResponse?) { self.reply = reply }

        convenience init(_ change: (inout JSONObject) -> Void = { _ in }) {
            var metadata = JSONObject()
            metadata["issuer"] = "https://idp.example.com"
            metadata["token_endpoint"] = "https://idp.example.com/token"
            metadata["jwks_uri"] = "https://keys.example.com/jwks"
            change(&metadata)
            self.init(WebResponse(status: 200, body: metadata.bytes))
        }

        func answer(to request: WebRequest) async throws -> WebResponse {
            struct Away: Error {}
            asked.withLock { $0.append("\(request.method) \(request.url)") }
            guard let reply else { throw Away() }
            return reply
        }
    }

    private func make(
        _ site: Site, at address: String = "https://idp.example.com", issuer: String? = nil
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        try await ASAuthorizationProviderExtensionLoginConfiguration.configuration(
            openIDConfigurationURL: try #require(URL(string: address)), clientID: "client",
            issuer: issuer, web: site)
    }

    @Test("Issuer, token endpoint and keys are the provider's; the rest has its defaults")
    func good() async throws {
        for address in ["https://idp.example.com", "https://idp.example.com/"] {
            let site = Site()
            let made = try await make(site, at: address)
            #expect(
                site.asked.withLock { $0 } == [
                    "GET https://idp.example.com/.well-known/openid-configuration"
                ])
            #expect(made.clientID == "client")
            #expect(made.issuer == "https://idp.example.com")
            #expect(made.tokenEndpointURL.absoluteString == "https://idp.example.com/token")
            #expect(made.jwksEndpointURL.absoluteString == "https://keys.example.com/jwks")
            #expect(made.audience == "https://idp.example.com/token")
            #expect(made.nonceEndpointURL == made.tokenEndpointURL)
            #expect(try made.checked().clientID == "client")
        }
    }

    @Test("A given issuer must be identical to the provider's")
    func issuer() async throws {
        let site = Site { $0["issuer"] = "https://login.example.com" }
        let made = try await make(site, issuer: "https://login.example.com")
        #expect(made.issuer == "https://login.example.com")
        for issuer in [nil, "https://login.example.com/", "https://evil.example.com"] {
            await #expect(throws: ASAuthorizationError.self) {
                _ = try await make(site, issuer: issuer)
            }
        }
    }

    @Test("What is not protected is neither asked nor taken")
    func protection() async throws {
        let site = Site()
        await #expect(throws: ASAuthorizationError.self) {
            _ = try await make(site, at: "http://idp.example.com")
        }
        #expect(site.asked.withLock { $0.isEmpty })
        for name in ["token_endpoint", "jwks_uri"] {
            for value: JSONValue? in ["http://idp.example.com/x", "ftp://x", 7, nil] {
                let site = Site { $0[name] = value }
                await #expect(throws: ASAuthorizationError.self) { _ = try await make(site) }
            }
        }
    }

    @Test("Answers that are none")
    func answers() async throws {
        let replies: [WebResponse?] = [
            nil, WebResponse(status: 404, body: []), WebResponse(status: 302, body: []),
            WebResponse(status: 200, body: Array("[]".utf8)), WebResponse(status: 200, body: []),
        ]
        for reply in replies {
            await #expect(throws: ASAuthorizationError.self) { _ = try await make(Site(reply)) }
        }
    }

    @Test("With a completion handler the error comes there")
    func completion() async throws {
        let url = try #require(URL(string: "http://idp.example.com"))
        let failed = await withCheckedContinuation { continuation in
            ASAuthorizationProviderExtensionLoginConfiguration.configuration(
                openIDConfigurationURL: url, clientID: "c", issuer: nil
            ) { made, error in
                continuation.resume(returning: made == nil && error is ASAuthorizationError)
            }
        }
        #expect(failed)
    }
}
