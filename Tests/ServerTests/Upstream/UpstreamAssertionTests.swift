// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// What we sign for other providers, brought back to us by one of them.
@Suite struct UpstreamAssertionTests {
    @Test("Attack 83: an assertion to another provider is no access token or client assertion here")
    func broughtBack() async throws {
        let house = try await UpstreamHouse()
        try await house.put([
            "token_endpoint_auth_method": "private_key_jwt", "client_secret": .null,
        ])
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).status == .seeOther)
        let assertion = try #require(house.acme.lastToken["client_assertion"])
        let (provider, tenant) = (house.provider, house.pages.tenant)
        let now = house.pages.clock.now
        for audience in [RequiredAudience.provider, .any, .resource(UpstreamStub.issuer)] {
            let token = try await AccessTokenVerifier(provider).verify(
                assertion, tenant: tenant, for: audience, shownWith: .asked, now: now)
            #expect(token == nil, "\(audience)")
        }
        // The worst case: a local client has the same name, and the provider's own keys.
        var client = Client(
            id: Identifier(now: now, random: house.pages.random), project: tenant.project.id,
            clientID: "gatehouse", metadata: ClientMetadata(), createdAt: now)
        client.metadata.tokenEndpointAuthMethod = "private_key_jwt"
        client.metadata.jwks = String(
            decoding: try await provider.keys.jwks(of: tenant), as: UTF8.self)
        #expect(try await provider.store.clients.save(client, now: now))
        provider.clients.invalidate()
        let presented = try PresentedClient.read(
            authorization: nil,
            form: [
                "client_assertion": assertion,
                "client_assertion_type": PresentedClient.assertionType,
            ])
        #expect(presented.clientID == "gatehouse")
        let outcome = try await ClientAuthenticator(provider).identify(
            presented, of: tenant,
            facts: RequestMetadata(now: now, requestID: "r", address: "192.0.2.1"))
        guard case .failure(let refusal) = outcome else {
            Issue.record("the client was believed")
            return
        }
        #expect(refusal.code == "invalid_client" && refusal.reason.contains("aud"))
    }
}
