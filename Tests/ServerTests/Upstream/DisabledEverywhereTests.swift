// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// Disabled means disabled on the ways that are taken less often: exchange, devices, approvals.
@Suite struct DisabledEverywhereTests {
    /// The object that is disabled after a consent.
    enum Switch: CaseIterable {
        case person, client, provider

        /// What the client is told then, if it gets nothing.
        var answers: Set<String> {
            switch self {
            case .client: ["invalid_client"]
            case .person, .provider: ["access_denied", "invalid_grant", "invalid_request"]
            }
        }
    }

    private let oauth: OAuthHouse
    private let acme: UpstreamProvider
    private let link: Credential

    init() async throws {
        oauth = try await OAuthHouse()
        try await oauth.change(client: "shop") {
            $0.metadata.grantTypes.append(TokenRequest.tokenExchangeGrantType)
            $0.metadata.exchangeAudiences = ["ledger"]
        }
        let now = oauth.clock.now
        acme = UpstreamProvider(
            id: Identifier(now: now, random: oauth.random), project: oauth.tenant.project.id,
            name: "acme", kind: .oidc, createdAt: now)
        #expect(try await oauth.provider.store.upstreamProviders.save(acme, now: now))
        link = Credential(
            id: Identifier(now: now, random: oauth.random), project: oauth.tenant.project.id,
            person: oauth.anna.id, kind: .federatedIdentity, externalID: oauth.random.bytes(32),
            createdAt: now, upstream: acme.id)
        #expect(try await oauth.provider.store.credentials.add(link))
    }

    /// Signs Anna in with her federated identity of Acme.
    private func signIn() async throws -> (cookie: String, signedIn: AuthenticatedSession) {
        try await oauth.signIn(methods: ["fed"], with: link)
    }

    private func turn(_ what: Switch, on isOn: Bool) async throws {
        let now = oauth.clock.now
        switch what {
        case .person:
            var anna = oauth.anna
            anna.disabled = !isOn
            #expect(try await oauth.provider.store.people.update(anna, now: now))
        case .client: try await oauth.change(client: "shop") { $0.disabled = !isOn }
        case .provider:
            var other = acme
            other.isEnabled = isOn
            #expect(try await oauth.provider.store.upstreamProviders.save(other, now: now))
        }
    }

    private func token(
        _ form: [String: String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        try oauth.json(
            try await oauth.post("/token", form, headers: OAuthHouse.basic("shop")),
            sourceLocation: sourceLocation)
    }

    private func expectNothing(_ body: JSONObject, _ what: Switch) {
        #expect(body["access_token"] == nil && body["refresh_token"] == nil)
        #expect(what.answers.contains(body["error"]?.string ?? ""), "\(what): \(body)")
    }

    @Test(
        "Attack 33: exchange: nothing for a token of a disabled person, client or provider",
        arguments: Switch.allCases)
    func exchange(_ what: Switch) async throws {
        let tokens = try await oauth.tokens(
            scope: "openid profile orders:read", cookie: try await signIn().cookie)
        let form = [
            "grant_type": TokenRequest.tokenExchangeGrantType, "audience": "ledger",
            "subject_token": try #require(tokens["access_token"]?.string),
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        ]
        let made = try #require(try await token(form)["access_token"]?.string)
        try await turn(what, on: false)
        expectNothing(try await token(form), what)
        if what != .client {
            // What was exchanged before ends as well, and does not come back.
            #expect(try await !oauth.isActive(made))
            try await turn(what, on: true)
            #expect(try await !oauth.isActive(made))
            expectNothing(try await token(form), what)
        }
    }

    @Test(
        "Attack 33: a device that was allowed gets nothing once person, client or provider is out",
        arguments: Switch.allCases)
    func device(_ what: Switch) async throws {
        let begun = try oauth.json(
            try await oauth.post(
                "/device_authorization", ["scope": "openid offline_access"],
                headers: OAuthHouse.basic("shop")))
        let (code, shown) = (
            try #require(begun["device_code"]?.string), try #require(begun["user_code"]?.string)
        )
        _ = try await DeviceAuthorizationEndpoint(oauth.provider).decide(
            userCode: shown, allow: true, tenant: oauth.tenant, facts: oauth.facts,
            signedIn: try await signIn().signedIn
        ).get()
        try await turn(what, on: false)
        let form = ["grant_type": TokenRequest.deviceCodeGrantType, "device_code": code]
        expectNothing(try await token(form), what)
        guard what != .client else { return }
        try await turn(what, on: true)
        oauth.clock.advance(by: .seconds(60))
        expectNothing(try await token(form), what)
    }
}
