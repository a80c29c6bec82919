// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Signing in with an installation's key, and with an issuer's token.
@Suite struct KeySignInTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    @Test("The key signs the provider's nonce and gets tokens, in one commit and the proof's mark")
    func signsIn() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let challenge = try await house.signInChallenge()
        #expect(challenge.audience == OAuthHouse.issuer && challenge.lifetime == 300)
        let assertion = try token(user, challenge).signed(by: key.signer)
        var answer = JSONObject()
        let cost = try await house.oauth.engine.count {
            answer = try house.oauth.json(try await house.signIn(assertion))
        }
        #expect(cost.writes == 2)
        let claims = try house.oauth.claims(of: answer["access_token"]?.string)
        #expect(claims["sub"]?.string == user.userID)
        #expect(claims["amr"] == ["swk"] && claims["acr"] == "urn:gatehouse:acr:password")
        #expect(claims["sid"] == nil)
        #expect(answer["id_token"]?.string != nil)
        #expect(answer["scope"]?.string == "openid profile offline_access registration")
        let events = try await house.events("token.assertion")
        #expect(events.map(\.person?.description) == [user.userID])
        #expect(events.map(\.clientID) == ["app"])
    }

    @Test("RSA of the seeds works as well")
    func rsa() async throws {
        let key = try AppKey(.rs256)
        let user = try await house.registered(key)
        #expect(try await house.signIn(key, as: user.userID)["access_token"] != nil)
    }

    @Test("Refreshing works as for other grants; a smaller scope is granted")
    func refreshes() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let answer = try await house.signIn(key, as: user.userID)
        let refresh = try #require(answer["refresh_token"]?.string)
        #expect(try await house.refresh(refresh).status.code == 200)
        let challenge = try await house.signInChallenge()
        let less = try house.oauth.json(
            try await house.signIn(token(user, challenge).signed(by: key.signer), scope: "openid"))
        #expect(less["refresh_token"] == nil && less["scope"] == "openid")
    }

    // MARK: Refusals

    private func token(
        _ user: AppRegistrationResponse, _ challenge: ServerChallenge
    ) -> SignInToken {
        SignInToken(
            userID: user.userID, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 300)
    }

    private func error(_ assertion: String, scope: String? = nil) async throws -> String? {
        try house.oauth.error(try await house.signIn(assertion, scope: scope))
    }

    @Test("Attack 3: a nonce signs in once, expires, and is for signing in")
    func nonces() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let challenge = try await house.signInChallenge()
        let assertion = try token(user, challenge).signed(by: key.signer)
        #expect(try await error(assertion) == nil)
        #expect(try await error(assertion) == "invalid_grant")
        var other = token(user, challenge)
        for nonce in [try await house.nonce(), "x", UUIDText.make()] {
            other.nonce = nonce
            #expect(try await error(other.signed(by: key.signer)) == "invalid_grant")
        }
        let late = try await house.signInChallenge()
        house.oauth.clock.advance(by: .seconds(300))
        #expect(try await error(token(user, late).signed(by: key.signer)) == "invalid_grant")
    }

    @Test("Attack 63: another audience, another person's name, a longer lifetime, another type")
    func claims() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let bea = try await house.registered(AppKey(), subject: "bea")
        let challenge = try await house.signInChallenge()
        let good = token(user, challenge)
        let changes: [(inout SignInToken) -> Void] = [
            { $0.audience = "https://other.example" }, { $0.audience += "/" },
            { $0.userID = bea.userID }, { $0.userID = house.oauth.anna.id.description },
            { $0.userID = "root" }, { $0.expiresAt = house.now + 361 },
            { $0.expiresAt = house.now - 60 }, { $0.expiresAt = .max },
        ]
        for change in changes {
            var wrong = good
            change(&wrong)
            #expect(try await error(wrong.signed(by: key.signer)) == "invalid_grant")
        }
        var claims = JSONObject([
            .init(name: "iss", value: .string(user.userID)),
            .init(name: "sub", value: .string(bea.userID)),
            .init(name: "aud", value: .string(challenge.audience)),
            .init(name: "jti", value: .string(challenge.nonce)),
            .init(name: "exp", value: .integer(house.now + 60)),
        ])
        let twoFaced = try key.signer.sign(payload: claims.bytes, typ: "JWT")
        #expect(
            try await error(String(decoding: twoFaced, as: UTF8.self)) == "invalid_grant")
        claims["sub"] = .string(user.userID)
        let typed = try key.signer.sign(payload: claims.bytes, typ: "at+jwt")
        #expect(try await error(String(decoding: typed, as: UTF8.self)) == "invalid_grant")
        #expect(try await error(good.signed(by: key.signer)) == nil)
    }

    @Test("Attack 15, 16, 18: another key, no signature, a key that the token brings")
    func signatures() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let token = token(user, try await house.signInChallenge())
        let stranger = try PrivateJWK.generate(for: .es256)
        for kid in [key.key.keyID, nil] as [String?] {
            let signer = try JOSESigner(
                stranger.with(KeyParameters(keyID: kid)), algorithm: .es256)
            #expect(try await error(token.signed(by: signer)) == "invalid_grant")
        }
        let good = try token.signed(by: key.signer)
        let parts = good.split(separator: ".").map(String.init)
        #expect(try await error("\(parts[0]).\(parts[1]).") == "invalid_grant")
        #expect(try await error("x") == "invalid_grant")
        #expect(try await error(good) == nil)
    }

    @Test("Attack 1, 2: of many that sign in with one nonce, one does")
    func race() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let assertion = try token(user, try await house.signInChallenge()).signed(by: key.signer)
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 { group.addTask { try await error(assertion) == nil } }
            var winners = 0
            for try await won in group where won { winners += 1 }
            return winners
        }
        #expect(winners == 1)
    }

    @Test("Attack 33: who is disabled gets nothing, and neither does a client that may not ask")
    func disabled() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let id = try #require(Identifier<Person>(user.userID))
        var person = try #require(try await house.provider.store.people.person(id))
        person.disabled = true
        _ = try await house.provider.store.people.update(person, now: house.oauth.clock.now)
        let assertion = try token(user, try await house.signInChallenge()).signed(by: key.signer)
        #expect(try await error(assertion) == "invalid_grant")
        let issued = try house.token().signed(by: house.signer)
        #expect(try await error(issued) == "invalid_grant")
        try await house.oauth.change(client: "app") { $0.metadata.grantTypes = ["refresh_token"] }
        #expect(try await error(assertion) == "unauthorized_client")
    }

    @Test("A key signs in at its own project only")
    func projects() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let other = try await house.oauth.addProject("qa")
        try await house.oauth.addClient("app", in: other) {
            $0.secretHash = nil
            $0.metadata.tokenEndpointAuthMethod = "none"
            $0.metadata.grantTypes = [TokenRequest.assertionGrantType]
        }
        let answer = try await house.call(
            .post, "/registration/sign-in/challenge", prefix: other.pathPrefix)
        let challenge = try #require(ServerChallenge(answer.body))
        let assertion = try token(user, challenge).signed(by: key.signer)
        let response = try await house.oauth.post(
            other.pathPrefix + "/token",
            [
                "grant_type": TokenRequest.assertionGrantType, "assertion": assertion,
                "client_id": "app",
            ])
        #expect(try house.oauth.error(response) == "invalid_grant")
    }

    @Test("The scope is at most the client's")
    func scope() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let assertion = try token(user, try await house.signInChallenge()).signed(by: key.signer)
        #expect(try await error(assertion, scope: "openid admin") == "invalid_scope")
    }

    @Test("Attack 30: an issuer cannot sign in a person with rights beyond the project")
    func administrators() async throws {
        let user = try await house.registered(try AppKey())
        let person = try #require(Identifier<Person>(user.userID))
        let home = house.oauth.tenant.project.id
        func assign(_ role: Administrator.Role, _ project: Identifier<Project>?) async throws {
            let given = Administrator(
                id: Identifier(now: house.oauth.clock.now, random: house.oauth.random),
                person: person, project: project, role: role, createdAt: house.oauth.clock.now)
            #expect(try await house.provider.store.administrators.assign(given) == .assigned)
        }
        try await assign(.projectAdministrator, home)
        #expect(try await error(house.token().signed(by: house.signer)) == nil)
        try await house.change { $0.policy.registration.secondInstallations = true }
        let second = try await house.request(
            token: house.token().signed(by: house.signer), key: try AppKey())
        #expect(try await house.outcome(second) == "registered")
        try await assign(.auditor, nil)
        #expect(
            try await error(house.token().signed(by: house.signer)) == "invalid_grant")
        let third = try await house.request(
            token: house.token().signed(by: house.signer), key: try AppKey())
        #expect(try await house.outcome(third) == "already_registered")
    }

    @Test("An issuer's token signs in once, and only a person that the issuer has registered")
    func federated() async throws {
        let token = try house.token().signed(by: house.signer)
        #expect(try await error(token) == "invalid_grant")
        _ = try await house.send(house.request(token: token))
        let fresh = try house.token().signed(by: house.signer)
        #expect(try await error(fresh) == nil)
        #expect(try await error(fresh) == "invalid_grant")
        var late = house.token()
        late.issuedAt -= 4000
        late.expiresAt -= 4000
        let answer = try house.oauth.json(
            try await house.signIn(late.signed(by: house.signer)))
        #expect(answer["error"] == "invalid_grant")
        #expect(answer["error_description"]?.string?.contains("expired") == true)
    }
}
