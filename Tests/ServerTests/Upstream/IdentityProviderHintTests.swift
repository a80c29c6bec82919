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

@testable import HTTPServer

/// `identity_provider` at the authorization endpoint.
@Suite struct IdentityProviderHintTests {
    private static let redirectURI = "https://notes.example/callback"
    private let house: UpstreamHouse

    init() async throws {
        house = try await UpstreamHouse(isWhole: true)
        let pages = house.pages
        var client = Client(
            id: Identifier(now: pages.clock.now, random: pages.random),
            project: pages.project.id, clientID: "notes", metadata: ClientMetadata(),
            createdAt: pages.clock.now)
        client.metadata.tokenEndpointAuthMethod = "none"
        client.metadata.grantTypes = ["authorization_code"]
        client.metadata.redirectURIs = [Self.redirectURI]
        client.metadata.scope = "openid"
        client.metadata.firstParty = true
        client.metadata.idTokenSignedResponseAlg = "ES256"
        #expect(try await house.store.clients.save(client, now: pages.clock.now))
        house.provider.clients.invalidate()
    }

    private func authorize(_ provider: String, _ more: [String: String] = [:]) -> String {
        var parameters = [
            "response_type": "code", "client_id": "notes", "redirect_uri": Self.redirectURI,
            "scope": "openid", "state": "s1", "identity_provider": provider,
            "code_challenge": CodeChallenge.s256(of: OAuthHouse.verifier),
            "code_challenge_method": "S256",
        ]
        parameters.merge(more) { _, new in new }
        return "/authorize?" + OAuthHouse.encode(parameters)
    }

    /// The parameters of the response to the client, or `nil` if the location is another one.
    private func response(_ location: String?) throws -> [String: String]? {
        guard let location, location.hasPrefix(Self.redirectURI + "?") else { return nil }
        return try FormParameters(Array(location.split(separator: "?")[1].utf8)).values
    }

    @Test("The browser is redirected to the provider without a page, and gets the code afterwards")
    func straight() async throws {
        var browser = house.pages.browser()
        let first = try await browser.get(authorize("acme"))
        let leave = try #require(first.location)
        #expect(leave.hasPrefix("/sign-in/with/acme?continue="))
        let left = try await browser.get(leave)
        #expect(left.status == .seeOther)
        var answer = try await browser.get(
            UpstreamHouse.path(try house.acme.authorize(try #require(left.location))))
        for _ in 0..<3 {
            guard let location = answer.location, location.hasPrefix("/") else { break }
            answer = try await browser.get(location)
        }
        #expect(try response(answer.location)?["code"] != nil, "\(answer.location ?? "-")")
        #expect(try await house.signedIn(browser)?.person.realm == "idp:acme")
    }

    @Test("A person who is signed in is not sent to the provider, unless a sign-in is requested")
    func signedIn() async throws {
        var browser = try await house.pages.registered()
        #expect(try response(try await browser.get(authorize("acme")).location)?["code"] != nil)
        let again = try await browser.get(authorize("acme", ["prompt": "login"]))
        let leave = try #require(again.location)
        #expect(leave.hasPrefix("/sign-in/with/acme?continue="))
        // The provider must authenticate the person again.
        #expect(try await browser.get(leave).location?.contains("prompt=login") == true)
    }

    @Test(
        "An unknown, disabled or link-only provider is refused at the client",
        arguments: ["nobody", "ACME", "off", "linked", "https://evil.example/", "acme/../x"])
    func refused(_ name: String) async throws {
        try await house.put(["enabled": false], identifier: "off")
        try await house.put(["link_only": true], identifier: "linked")
        house.pages.clock.advance(by: .seconds(2))
        var browser = house.pages.browser()
        let refusal = try #require(
            try response(try await browser.get(authorize(name)).location))
        #expect(refusal["error"] == "invalid_request" && refusal["state"] == "s1")
        #expect(refusal["error_description"]?.hasPrefix("identity_provider ") == true)
    }

    @Test("With prompt=none the hint leads to no page")
    func silent() async throws {
        var browser = house.pages.browser()
        let answer = try await browser.get(authorize("acme", ["prompt": "none"]))
        #expect(try response(answer.location)?["error"] == "login_required")
    }

    @Test("A sign-in that fails at the provider leads to the page with all sign-in methods")
    func failed() async throws {
        var browser = house.pages.browser()
        let leave = try #require(try await browser.get(authorize("acme")).location)
        let state = try FormParameters(
            Array(try #require(try await browser.get(leave).location).split(separator: "?")[1].utf8)
        )["state"]
        let query = OAuthHouse.encode([
            "state": try #require(state), "error": "access_denied", "iss": UpstreamStub.issuer,
        ])
        let page = try await browser.get("/sign-in/with/acme/callback?" + query)
        #expect(page.text.contains("name=\"username\"") && page.text.contains("Sign in with Acme"))
    }
}
