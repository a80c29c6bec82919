// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// Sessions of an installation without a person: by its key alone, for what the project gives to
/// devices.
@Suite struct DeviceSessionTests {
    private let house: RegistrationHouse
    private let key: AppKey
    private let registered: AppRegistrationResponse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.deviceScopes = ["catalogue", "weather"] }
        try await house.oauth.change(client: "app") { $0.metadata.scope += " catalogue" }
        key = try AppKey()
        registered = try await house.registered(key)
    }

    private func assertion(
        _ change: (inout SignInToken) -> Void = { _ in }, by key: AppKey? = nil,
        typ: String = SignInToken.deviceType
    ) async throws -> String {
        let challenge = try await house.signInChallenge()
        var token = SignInToken(
            userID: registered.installationID, audience: challenge.audience,
            nonce: challenge.nonce, expiresAt: house.now + 300)
        change(&token)
        let jws = try (key ?? self.key).signer.sign(payload: token.json, typ: typ)
        return String(decoding: jws, as: UTF8.self)
    }

    private func ask(_ assertion: String, scope: String? = "catalogue") async throws -> JSONObject {
        try house.oauth.json(try await house.signIn(assertion, scope: scope))
    }

    @Test(
        "The token is the installation's, with device scopes, and gives no access to a person's data"
    )
    func signsIn() async throws {
        for scope in ["catalogue", nil] {
            let body = try await ask(try await assertion(), scope: scope)
            let token = try #require(body["access_token"]?.string)
            let claims = try house.oauth.claims(of: token)
            #expect(claims["sub"]?.string == registered.installationID)
            #expect(claims["scope"] == "catalogue" && claims["gid"] != nil)
            #expect(claims["acr"] == nil && claims["amr"] == nil && claims["auth_time"] == nil)
            #expect(body["refresh_token"] == nil && body["id_token"] == nil)
            let account = try await house.call(.get, "/registration/installations", token: token)
            #expect(account.status == 401)
            #expect(try await house.oauth.userInfo(token).status != .ok)
        }
        #expect(try await house.events("token.device").count == 2)
    }

    @Test("It is not exchanged for a token of the person")
    func exchanged() async throws {
        let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
        try await house.oauth.change(client: "app") {
            $0.metadata.grantTypes.append(exchange)
            $0.metadata.exchangeAudiences = ["ledger"]
        }
        let token = try #require(try await ask(try await assertion())["access_token"]?.string)
        let answer = try await house.oauth.post(
            "/token",
            [
                "grant_type": exchange, "audience": "ledger", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "client_id": "app",
            ])
        #expect(try house.oauth.json(answer)["error"] == "invalid_request")
    }

    @Test("A PIN does not prevent it, because no person's data is involved")
    func withPIN() async throws {
        let device = try await AppDevice.registered(in: house)
        let claims = try house.oauth.claims(
            of: try await device.signIn("24681").body["access_token"]?.string)
        let person = try #require(claims["sub"]?.string.flatMap { Identifier<Person>($0) })
        let installation = try #require(
            try await house.provider.store.installations.installations(of: person).first)
        let signed = try await assertion(
            { $0.userID = installation.id.description }, by: device.key)
        #expect(try await ask(signed)["access_token"] != nil)
    }

    @Test("Other scopes than those for devices are not given")
    func scopes() async throws {
        for scope in ["openid", "registration", "catalogue openid", "weather", "", "a\u{7F}"] {
            let refused = try await ask(try await assertion(), scope: scope)
            #expect(refused["error"] == "invalid_scope", "\(scope)")
        }
        try await house.change { $0.policy.registration.deviceScopes = [] }
        #expect(try await ask(try await assertion())["error"] == "invalid_scope")
    }

    @Test("Another key, type, audience, time, nonce or installation is refused")
    func forgeries() async throws {
        let stranger = try AppKey()
        _ = try await house.registered(stranger, subject: "bea-1")
        let userID = registered.userID
        let forged = [
            try await assertion(by: stranger), try await assertion(by: AppKey()),
            try await assertion(typ: "JWT"),
            try await assertion({ $0.audience = "https://other.example" }),
            try await assertion({ $0.expiresAt -= 400 }),
            try await assertion({ $0.expiresAt += 400 }),
            try await assertion({ $0.nonce = "made-up" }),
            try await assertion({ $0.userID = userID }),
            try await assertion({ $0.userID = "nobody" }),
        ]
        for text in forged { #expect(try await ask(text)["error"] == "invalid_grant") }
        let used = try await assertion()
        #expect(try await ask(used)["access_token"] != nil)
        #expect(try await ask(used)["error"] == "invalid_grant")
    }

    @Test("It ends with the installation, and with its person; tokens that were given end too")
    func ends() async throws {
        let given = try #require(try await ask(try await assertion())["access_token"]?.string)
        #expect(try await stands(given))
        let person = try #require(Identifier<Person>(registered.userID))
        var disabled = try #require(try await house.provider.store.people.person(person))
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.oauth.clock.now)
        #expect(try await ask(try await assertion())["error"] == "invalid_grant")
        disabled.disabled = false
        _ = try await house.provider.store.people.update(disabled, now: house.oauth.clock.now)
        let body = try await house.signIn(key, as: registered.userID)
        let token = try #require(body["access_token"]?.string)
        _ = try await house.call(.delete, "/registration/installations/current", token: token)
        #expect(try await ask(try await assertion())["error"] == "invalid_grant")
        #expect(try await !stands(given))
    }

    private func stands(_ token: String) async throws -> Bool {
        try await AccessTokenVerifier(house.provider).verify(
            token, tenant: house.oauth.tenant, for: .any, shownWith: .asked,
            now: house.oauth.clock.now) != nil
    }
}
