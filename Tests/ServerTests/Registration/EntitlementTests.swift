// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Sets and individual entitlements, up to the claim in tokens.
@Suite struct EntitlementTests {
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.oauth.change(client: "app") {
            $0.metadata.scope = "openid offline_access registration entitlements"
        }
        try await house.provider.store.entitlements.save(
            EntitlementSet(
                project: house.oauth.tenant.project.id, name: "gold",
                entitlements: #"{"export":true,"vaults":10}"#,
                createdAt: house.oauth.clock.now))
    }

    @Test("A test key's token gives a set, and tokens carry what it holds")
    func testSet() async throws {
        var token = house.testToken()
        token.attributes = JSONObject([
            .init(name: IssuedToken.entitlementSetClaim, value: "gold")
        ])
        let key = try AppKey()
        let request = try await house.request(
            .testKey, token: token.signed(by: house.addTestKey()), key: key)
        let user = try #require(AppRegistrationResponse(try await house.send(request).body))
        let answer = try await house.signIn(key, as: user.userID)
        var claims = try house.oauth.claims(of: answer["access_token"]?.string)
        #expect(claims["entitlements"] == ["export": true, "vaults": 10])
        let id = try #require(Identifier<Person>(user.userID))
        #expect(
            try await house.provider.store.entitlements.setEntitlements(
                of: id, set: "gold", explicit: #"{"vaults":25}"#))
        let refresh = try #require(answer["refresh_token"]?.string)
        let refreshed = try house.oauth.json(try await house.refresh(refresh))
        claims = try house.oauth.claims(of: refreshed["access_token"]?.string)
        #expect(claims["entitlements"] == ["export": true, "vaults": 25])
    }

    @Test("An unknown set is refused; an issuer's claims do not assign one")
    func unknown() async throws {
        var token = house.testToken()
        token.attributes = JSONObject([
            .init(name: IssuedToken.entitlementSetClaim, value: "silver")
        ])
        let request = try await house.request(
            .testKey, token: token.signed(by: house.addTestKey()), key: AppKey())
        #expect(try await house.outcome(request) == "token_refused")
        var issued = house.token()
        issued.attributes = JSONObject([
            .init(name: IssuedToken.entitlementSetClaim, value: "gold")
        ])
        let key = try AppKey()
        let answer = try await house.send(
            house.request(token: issued.signed(by: house.signer), key: key))
        let user = try #require(AppRegistrationResponse(answer.body))
        let tokens = try await house.signIn(key, as: user.userID)
        let claims = try house.oauth.claims(of: tokens["access_token"]?.string)
        #expect(claims["entitlements"] == [:])
    }

    @Test(
        "An invalid name of a set is refused",
        arguments: [7, true, [], ["gold"]] as [JSONValue])
    func noName(set: JSONValue) async throws {
        var token = house.testToken()
        token.attributes = JSONObject([.init(name: IssuedToken.entitlementSetClaim, value: set)])
        let request = try await house.request(
            .testKey, token: token.signed(by: house.addTestKey()), key: AppKey())
        #expect(try await house.outcome(request) == "token_refused")
    }

    @Test("A set that is null is none")
    func nullSet() async throws {
        var token = house.testToken()
        token.attributes = JSONObject([.init(name: IssuedToken.entitlementSetClaim, value: .null)])
        let request = try await house.request(
            .testKey, token: token.signed(by: house.addTestKey()), key: AppKey())
        #expect(try await house.outcome(request) == "registered")
    }

    @Test("Without the scope the token does not contain them")
    func scope() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let challenge = try await house.signInChallenge()
        let assertion = try SignInToken(
            userID: user.userID, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 60
        ).signed(by: key.signer)
        let answer = try house.oauth.json(try await house.signIn(assertion, scope: "openid"))
        let claims = try house.oauth.claims(of: answer["access_token"]?.string)
        #expect(claims["entitlements"] == nil)
    }
}
