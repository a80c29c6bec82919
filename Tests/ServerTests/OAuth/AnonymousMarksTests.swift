// SPDX-License-Identifier: Apache-2.0
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

/// The effects of an unauthenticated request: no one-time identifier, and one event a minute.
@Suite struct AnonymousMarksTests {
    private let house: OAuthHouse

    init() async throws {
        house = try await OAuthHouse()
        try await house.addClient("app") {
            $0.secretHash = nil
            $0.metadata.tokenEndpointAuthMethod = "none"
            $0.metadata.grantTypes = Self.forms.compactMap { $0["grant_type"] }
            $0.metadata.exchangeAudiences = ["ledger"]
        }
    }

    /// Each grant with nothing in it that was ever given out.
    private static let forms: [[String: String]] = [
        ["grant_type": "authorization_code", "code": "x", "redirect_uri": OAuthHouse.redirectURI],
        ["grant_type": "refresh_token", "refresh_token": "gr.x"],
        ["grant_type": TokenRequest.deviceCodeGrantType, "device_code": "x"],
        ["grant_type": TokenRequest.backchannelGrantType, "auth_req_id": "x"],
        ["grant_type": TokenRequest.assertionGrantType, "assertion": "e30.e30.e30"],
        [
            "grant_type": TokenRequest.passkeyGrantType,
            "passkey": #"{"ceremony":"x","credential":{"id":"AA"}}"#,
        ],
        [
            "grant_type": TokenRequest.tokenExchangeGrantType, "audience": "ledger",
            "subject_token": "x",
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        ],
    ]

    private func proof(
        _ method: HTTPRequest.Method = .post, _ path: String = "/token", token: String? = nil
    ) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("DPoP"))
        // A key that was made for this request.
        let text = try ProofMaker().proof(method, path, now: house.clock.now, token: token)
        return [name: text]
    }

    private func rows(_ table: String) async throws -> Int {
        try #require(try await house.provider.store.maintenance.status().rows[table])
    }

    private func ask(_ form: [String: String], _ headers: HTTPFields) async throws -> String? {
        let whole = form.merging(["client_id": "app"]) { own, _ in own }
        return try house.error(try await house.post("/token", whole, headers: headers))
    }

    private func events(_ action: String) async throws -> [AuditEvent] {
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = action
        return try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    @Test("Attack 67: a proof with a foreign token consumes no identifier")
    func junkToken() async throws {
        let before = try await rows("used_marks")
        for path in ["/userinfo", "/registration/installations", "/entitlements"] {
            for token in ["junk", "e30.e30.e30"] {
                var headers = try proof(.get, path, token: token)
                headers[.authorization] = "DPoP \(token)"
                #expect(try await house.get(path, headers: headers).status == .unauthorized)
            }
        }
        #expect(try await rows("used_marks") == before)
    }

    @Test("Attack 67: a proof with an invented code consumes no identifier, in any grant")
    func junkGrants() async throws {
        let before = try await rows("used_marks")
        for form in Self.forms {
            let error = try await ask(form, try proof())
            #expect(error != nil && error != "invalid_dpop_proof", "\(form)")
        }
        #expect(try await rows("used_marks") == before)
    }

    @Test("Attack 67: fifty invented codes of a public client are two events, by any grant")
    func junkEvents() async throws {
        let actions = [
            "token.authorization_code", "token.refresh", "token.device_code", "token.approval",
            "token.assertion", "token.passkey", "token.exchange",
        ]
        for form in Self.forms { for _ in 0..<50 { _ = try await ask(form, [:]) } }
        for action in actions {
            let found = try await events(action)
            #expect(found.count == 2, "\(action)")
            #expect(found.map(\.count).reduce(0, +) == 50, "\(action)")
        }
    }

    @Test("A request with a genuine credential has a separate event each time")
    func matched() async throws {
        let code = try await house.code(cookie: try await house.signIn().cookie)
        _ = try await house.redeem(code)
        for _ in 0..<3 {
            #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
        }
        let found = try await events("token.authorization_code")
        #expect(found.count { $0.code == "invalid_grant" } == 3)
    }

    @Test(
        "Attack 67: undecided polls consume no identifier; the proof of tokens is consumed once")
    func polls() async throws {
        let begun = try house.json(
            try await house.post("/device_authorization", ["client_id": "app", "scope": "openid"]))
        let form = [
            "grant_type": TokenRequest.deviceCodeGrantType,
            "device_code": try #require(begun["device_code"]?.string),
        ]
        let before = try await rows("used_marks")
        for _ in 0..<5 {
            house.clock.advance(by: .seconds(10))
            #expect(try await ask(form, try proof()) == "authorization_pending")
        }
        #expect(try await rows("used_marks") == before)
        _ = try await DeviceAuthorizationEndpoint(house.provider).decide(
            userCode: try #require(begun["user_code"]?.string), allow: true, tenant: house.tenant,
            facts: house.facts, signedIn: try await house.signIn().signedIn
        ).get()
        house.clock.advance(by: .seconds(10))
        let used = try proof()
        #expect(try await ask(form, used) == nil)
        #expect(try await rows("used_marks") == before + 1)
    }

    @Test("Attack 23, 67: a proof that was used before gets no tokens from an approved device")
    func replayedPoll() async throws {
        let begun = try house.json(
            try await house.post("/device_authorization", ["client_id": "app", "scope": "openid"]))
        _ = try await DeviceAuthorizationEndpoint(house.provider).decide(
            userCode: try #require(begun["user_code"]?.string), allow: true, tenant: house.tenant,
            facts: house.facts, signedIn: try await house.signIn().signedIn
        ).get()
        let used = try proof()
        let code = try await house.code("app", cookie: try await house.signIn().cookie)
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        #expect(try await ask(form, used) == nil)
        let poll = [
            "grant_type": TokenRequest.deviceCodeGrantType,
            "device_code": try #require(begun["device_code"]?.string),
        ]
        #expect(try await ask(poll, used) == "invalid_dpop_proof")
    }

    @Test("A refresh token is revoked once: the second time leaves no event")
    func revocation() async throws {
        let token = try #require(try await house.tokens()["refresh_token"]?.string)
        for _ in 0..<5 {
            let answer = try await house.post(
                "/revoke", ["token": token], headers: OAuthHouse.basic("shop"))
            #expect(answer.status == .ok)
        }
        #expect(try await events("token.revoked").count == 1)
    }
}
