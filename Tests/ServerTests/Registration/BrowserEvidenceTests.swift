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

/// The access token of a browser sign-in as evidence for a registration (method `oidc`).
@Suite struct BrowserEvidenceTests {
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.methods = ["oidc", "signedJWT"] }
    }

    private func installations() async throws -> Int {
        try await house.provider.store.installations.installations(of: house.oauth.anna.id).count
    }

    // MARK: The grant of the evidence

    @Test("The commit of the registration revokes the grant of the token")
    func endsGrant() async throws {
        let key = try AppKey()
        let tokens = try await house.browserTokens(key, scope: "openid offline_access registration")
        let token = try #require(tokens["access_token"]?.string)
        try await house.oauth.change(client: "wiki") { $0.metadata.scope += " introspect" }
        #expect(try await house.oauth.isActive(token, for: "wiki"))
        let request = try await house.browserRegistration(token, key: key)
        var outcome = ""
        let cost = try await house.oauth.engine.count {
            outcome = try await house.outcome(request)
        }
        #expect(outcome == "registered" && cost.writes == 1)
        #expect(try await !house.oauth.isActive(token, for: "wiki"))
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.oauth.error(try await house.oauth.refresh(refresh)) == "invalid_grant")
    }

    @Test("A refused registration leaves the grant active")
    func refusedKeepsGrant() async throws {
        try await house.change { $0.policy.registration.pin.use = "required" }
        let key = try AppKey()
        let token = try await house.browserToken(key)
        #expect(
            try await house.outcome(house.browserRegistration(token, key: key)) == "missing_input")
        try await house.change { $0.policy.registration.pin.use = "optional" }
        #expect(
            try await house.outcome(house.browserRegistration(token, key: key)) == "registered")
    }

    @Test("A lost response is repeated to the key, without valid evidence")
    func repeats() async throws {
        let key = try AppKey()
        let token = try await house.browserToken(key)
        let request = try await house.browserRegistration(token, key: key)
        let first = try await house.send(request)
        house.oauth.clock.advance(by: .hours(1))
        var late = try await house.browserRegistration("", key: key)
        late.registrationID = request.registrationID
        let again = try await house.send(late)
        #expect(first.status == 201 && again.status == 200)
        #expect(again.body.withoutNext == first.body.withoutNext)
    }

    @Test("With required PINs a grant that can register an installation has no refresh token")
    func noRefreshBeforePIN() async throws {
        let scope = "openid offline_access registration"
        let optional = try await house.browserTokens(AppKey(), scope: scope)
        #expect(optional["refresh_token"] != nil)
        try await house.change { $0.policy.registration.pin.use = "required" }
        let required = try await house.browserTokens(AppKey(), scope: scope)
        #expect(required["refresh_token"] == nil)
        #expect(required["scope"]?.string == "openid registration")
        let other = try await house.browserTokens(AppKey(), scope: "openid offline_access")
        #expect(other["refresh_token"] != nil)
    }

    @Test("The response has the nonce for the first sign-in")
    func next() async throws {
        let key = try AppKey()
        let token = try await house.browserToken(key)
        let answer = try await house.send(try await house.browserRegistration(token, key: key))
        let registered = try #require(AppRegistrationResponse(answer.body))
        let next = try #require(registered.next)
        #expect(next.lifetime == 300 && next.pin == nil)
        let assertion = try SignInToken(
            userID: registered.userID, audience: next.audience, nonce: next.nonce,
            expiresAt: house.now + 300
        ).signed(by: key.signer)
        #expect(try await house.signIn(assertion).status == .ok)
        #expect(try await house.signIn(assertion).status == .badRequest)
    }

    // MARK: Attacks

    @Test("Attack 110: a token of another app, for the API of that app, is not evidence")
    func otherApp() async throws {
        try await house.oauth.change(client: "wiki") {
            $0.metadata.audience = "https://wiki.example/api"
        }
        let key = try AppKey()
        let token = try await house.browserToken(key, client: "wiki")
        #expect(
            try await house.outcome(house.browserRegistration(token, key: key)) == "not_signed_in")
        #expect(try await installations() == 0)
    }

    @Test("Attack 110: an app without permission gets no token that is evidence")
    func thirdParty() async throws {
        let scope = "openid registration"
        try await house.oauth.change(client: "wiki") {
            $0.metadata.scope = scope
            $0.metadata.firstParty = false
        }
        let response = try await house.oauth.get(
            "/authorize", house.oauth.request("wiki", ["scope": scope]),
            cookie: try await house.oauth.signIn().cookie)
        let answer = try OAuthHouse.Answer(response)
        #expect(answer.parameters["error"] == "invalid_scope")
        #expect(answer.parameters["code"] == nil)
    }

    @Test("Attack 111: a token that is bound to another key is refused without its proof")
    func otherKey() async throws {
        let (owner, thief) = (try AppKey(), try AppKey())
        let token = try await house.browserToken(owner)
        #expect(
            try await house.outcome(house.browserRegistration(token, key: thief))
                == "not_signed_in")
        #expect(
            try await house.outcome(
                house.browserRegistration(token, key: thief, provenBy: thief)) == "not_signed_in")
        // A proof of the right key for another token.
        var wrong = try await house.browserRegistration(token, key: thief, provenBy: owner)
        let other = try await house.browserToken(owner)
        wrong.evidence["access_token"] = .string(other)
        #expect(try await house.outcome(wrong) == "invalid_dpop_proof")
        #expect(try await installations() == 0)
        #expect(
            try await house.outcome(
                house.browserRegistration(token, key: AppKey(), provenBy: owner)) == "registered")
    }

    @Test("Attack 111: a code that is bound to the key gives no token to another key")
    func boundCode() async throws {
        let (owner, thief) = (try AppKey(), try AppKey())
        let code = try await house.oauth.code(
            cookie: try await house.oauth.signIn().cookie,
            ["dpop_jkt": owner.pair.publicKey.thumbprintText])
        var headers = try house.proof(of: thief)
        headers[.authorization] = OAuthHouse.basic("shop")[.authorization]
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        let answer = try await house.oauth.post("/token", form, headers: headers)
        #expect(try house.oauth.error(answer) == "invalid_grant")
    }

    @Test("Attack 112: ten minutes after the sign-in a token is not evidence, nor its successor")
    func oldToken() async throws {
        let key = try AppKey()
        let tokens = try await house.browserTokens(key, scope: "openid offline_access registration")
        let token = try #require(tokens["access_token"]?.string)
        house.oauth.clock.advance(by: .seconds(601))
        #expect(
            try await house.outcome(house.browserRegistration(token, key: key)) == "token_expired")
        var headers = try house.proof(of: key)
        headers[.authorization] = OAuthHouse.basic("shop")[.authorization]
        let refreshed = try house.oauth.json(
            try await house.oauth.post(
                "/token",
                [
                    "grant_type": "refresh_token",
                    "refresh_token": try #require(tokens["refresh_token"]?.string),
                ], headers: headers))
        let newer = try #require(refreshed["access_token"]?.string)
        #expect(
            try await house.outcome(house.browserRegistration(newer, key: key)) == "token_expired")
        #expect(try await installations() == 0)
    }

    @Test("Attack 112: a new sign-in with a session of long ago is not evidence")
    func oldSession() async throws {
        let cookie = try await house.oauth.signIn().cookie
        house.oauth.clock.advance(by: .seconds(601))
        let key = try AppKey()
        let token = try await house.browserToken(key, cookie: cookie)
        #expect(
            try await house.outcome(house.browserRegistration(token, key: key)) == "token_expired")
    }

    @Test("Attack 113: evidence that registered an installation registers no other one")
    func replay() async throws {
        let owner = try AppKey()
        let token = try await house.browserToken(owner)
        let first = try await house.browserRegistration(token, key: owner)
        #expect(try await house.outcome(first) == "registered")
        // The same bytes, a new identifier with the same key, and another key with a valid proof.
        #expect(try await house.outcome(first) == "repeated")
        #expect(
            try await house.outcome(house.browserRegistration(token, key: owner))
                == "not_signed_in")
        #expect(
            try await house.outcome(
                house.browserRegistration(token, key: AppKey(), provenBy: owner))
                == "not_signed_in")
        var other = try await house.browserRegistration(token, key: AppKey(), provenBy: owner)
        other.registrationID = first.registrationID
        #expect(try await house.outcome(other) == "not_signed_in")
        #expect(try await installations() == 1)
    }

    @Test("Attack 114: of concurrent registrations with one evidence, one succeeds")
    func race() async throws {
        let owner = try AppKey()
        let token = try await house.browserToken(owner)
        var requests: [AppRegistrationRequest] = []
        for _ in 0..<8 {
            requests.append(
                try await house.browserRegistration(token, key: AppKey(), provenBy: owner))
        }
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for request in requests { group.addTask { try await house.outcome(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "registered" } == 1)
        #expect(
            outcomes.count { ["token_used", "not_signed_in"].contains($0) } == outcomes.count - 1,
            "\(outcomes)")
        #expect(try await installations() == 1)
    }

    @Test("Attack 114: the evidence is consumed between its verification and the commit")
    func consumedMeanwhile() async throws {
        let owner = try AppKey()
        let token = try await house.browserToken(owner)
        let first = try await house.browserRegistration(token, key: AppKey(), provenBy: owner)
        let second = try await house.browserRegistration(token, key: AppKey(), provenBy: owner)
        house.oauth.engine.interrupt(
            CountingEngine.transaction,
            by: [
                {
                    let outcome = try await house.outcome(first)
                    #expect(outcome == "registered")
                }
            ])
        #expect(try await house.outcome(second) == "token_used")
        #expect(try await installations() == 1)
    }
}
