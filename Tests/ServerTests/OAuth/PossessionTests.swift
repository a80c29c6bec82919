// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Tokens that are bound to a key (RFC 9449), at the token endpoint and at all that they open.
@Suite struct PossessionTests {
    private let house: OAuthHouse
    private let pair: PrivateJWK

    init() async throws {
        house = try await OAuthHouse()
        pair = try PrivateJWK.generate(for: .es256)
        try await house.addClient("app") {
            $0.secretHash = nil
            $0.metadata.tokenEndpointAuthMethod = "none"
            $0.metadata.grantTypes = ["authorization_code", "refresh_token"]
            $0.metadata.scope = "openid profile offline_access registration entitlements"
        }
    }

    /// What a proof says otherwise than it should.
    private struct Changes {
        var key: PrivateJWK?
        var address: String?
        var age: Int64 = 0
        var issuedAt: Int64?
        var nonce: String?
        var token: String?
        var identifier = UUIDText.make()
    }

    private func proof(
        _ method: String, _ path: String, _ changes: Changes = Changes()
    ) throws -> String {
        var claims = JSONObject()
        claims["jti"] = .string(changes.identifier)
        claims["htm"] = .string(method)
        claims["htu"] = .string(changes.address ?? OAuthHouse.issuer + path)
        claims["iat"] = .integer(
            changes.issuedAt ?? house.clock.now.seconds - changes.age)
        claims["nonce"] = changes.nonce.map(JSONValue.string)
        claims["ath"] = changes.token.map {
            .string(Base64URL.encode(Array(SHA256.hash(data: Array($0.utf8)))))
        }
        let key = changes.key ?? pair
        let jws = try JOSESigner(key, algorithm: .es256).sign(
            payload: claims.bytes, typ: DPoPProof.type,
            header: [.init(name: "jwk", value: key.publicKey.with(KeyParameters()).json)])
        return String(decoding: jws, as: UTF8.self)
    }

    private func fields(_ proofs: String...) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("DPoP"))
        var fields = HTTPFields()
        for proof in proofs { fields.append(HTTPField(name: name, value: proof)) }
        return fields
    }

    private func nonce(_ response: ServerResponse) throws -> String? {
        response.headers[try #require(HTTPField.Name("DPoP-Nonce"))]
    }

    private func post(_ form: [String: String], _ proof: String?) async throws -> ServerResponse {
        try await house.post(
            "/token", form.merging(["client_id": "app"]) { old, _ in old },
            headers: try proof.map { try fields($0) } ?? [:])
    }

    /// Tokens of the public client, bound to the key.
    ///
    /// - Parameter scope: With `nil` what takes a key too, where there is one.
    private func tokens(
        scope: String? = nil, _ changes: Changes? = Changes()
    ) async throws -> JSONObject {
        let usual = "openid profile offline_access" + (changes == nil ? "" : " registration")
        let code = try await house.code(
            "app", cookie: try await house.signIn().cookie, ["scope": scope ?? usual])
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        return try house.json(
            try await post(form, try changes.map { try proof("POST", "/token", $0) }))
    }

    private func refresh(_ token: String, _ changes: Changes?) async throws -> ServerResponse {
        try await post(
            ["grant_type": "refresh_token", "refresh_token": token],
            try changes.map { try proof("POST", "/token", $0) })
    }

    /// Asks for something, as `scheme` with those proofs.
    private func ask(
        _ path: String, _ token: String, scheme: String = "DPoP", _ proofs: HTTPFields
    ) async throws -> ServerResponse {
        var headers = proofs
        headers[.authorization] = "\(scheme) \(token)"
        return try await house.get(path, headers: headers)
    }

    private func text(_ body: JSONObject, _ name: String) throws -> String {
        try #require(body[name]?.string)
    }

    // MARK: The token endpoint

    @Test("With a proof the tokens are bound to its key, and say so")
    func binds() async throws {
        let body = try await tokens()
        #expect(body["token_type"] == "DPoP")
        let access = try text(body, "access_token")
        let shown = try await house.introspect(access)
        #expect(shown["active"] == false)
        try await house.change(client: "shop") { $0.metadata.scope += " introspect" }
        let seen = try await house.introspect(access)
        #expect(seen["cnf"]?["jkt"]?.string == pair.publicKey.thumbprintText)
        #expect(seen["token_type"] == "DPoP")
        let bare = try await tokens(nil)
        #expect(bare["token_type"] == "Bearer")
        #expect(try await house.introspect(text(bare, "access_token"))["cnf"] == nil)
    }

    @Test("Section 10: a code that is bound to a key is worth nothing without it")
    func boundCode() async throws {
        let other = try PrivateJWK.generate(for: .es256)
        func code(_ key: PrivateJWK) async throws -> String {
            try await house.code(
                "app", cookie: try await house.signIn().cookie,
                ["dpop_jkt": key.publicKey.thumbprintText])
        }
        func redeem(_ code: String, _ changes: Changes?) async throws -> JSONObject {
            let form = [
                "grant_type": "authorization_code", "code": code,
                "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
            ]
            return try house.json(
                try await post(form, try changes.map { try proof("POST", "/token", $0) }))
        }
        let bound = try await code(pair)
        #expect(try await redeem(bound, nil)["error"] == "invalid_grant")
        #expect(try await redeem(bound, Changes(key: other))["error"] == "invalid_grant")
        let bare = String(bound.dropFirst(2))
        #expect(try await redeem(bare, Changes())["error"] == "invalid_grant")
        // None of these attempts has used it up.
        let tokens = try await redeem(bound, Changes())
        #expect(tokens["token_type"] == "DPoP")
        #expect(try await redeem(bound, Changes())["error"] == "invalid_grant")
        let unreadable = [
            "x", String(pair.publicKey.thumbprintText.dropLast()),
            pair.publicKey.thumbprintText + "A", String(repeating: "!", count: 43),
        ]
        for text in unreadable {
            let answer = try await house.get(
                "/authorize", house.request("app", ["dpop_jkt": text]),
                cookie: try await house.signIn().cookie)
            let parameters = try OAuthHouse.Answer(answer).parameters
            #expect(parameters["error"] == "invalid_request" && parameters["code"] == nil)
        }
    }

    @Test("The metadata name the algorithms")
    func announced() async throws {
        let metadata = try house.json(
            try await house.get("/.well-known/openid-configuration"))
        #expect(
            metadata["dpop_signing_alg_values_supported"]?.strings == ["ES256", "EdDSA", "PS256"])
    }

    @Test("Attack 11: a refresh token of a public client is of no use without its key")
    func refreshes() async throws {
        let token = try text(try await tokens(), "refresh_token")
        let other = Changes(key: try PrivateJWK.generate(for: .es256))
        for changes in [nil, other] {
            let refused = try await refresh(token, changes)
            #expect(refused.status == .badRequest)
            #expect(try house.error(refused) == ErrorCode.invalidGrant)
        }
        // The attempts did not consume it or revoke its family.
        let renewed = try house.json(try await refresh(token, Changes()))
        #expect(renewed["token_type"] == "DPoP")
        // The grace for lost answers holds, with another proof of the same key.
        let again = try house.json(try await refresh(token, Changes()))
        #expect(again["refresh_token"] == renewed["refresh_token"])
    }

    @Test("A lost answer: bound to a key, the same successor comes for weeks, until it is used")
    func lostAnswer() async throws {
        var project = house.tenant.project
        project.policy.refreshGrace = 0
        #expect(try await house.provider.store.projects.save(project))
        house.provider.tenants.invalidate()
        let first = try text(try await tokens(), "refresh_token")
        let second = try text(
            try house.json(try await refresh(first, Changes())), "refresh_token")
        for days: Int64 in [1, 20] {
            house.clock.advance(by: .days(days))
            let again = try house.json(try await refresh(first, Changes()))
            #expect(again["refresh_token"]?.string == second)
            #expect(try await refresh(first, nil).status == .badRequest)
        }
        let third = try text(
            try house.json(try await refresh(second, Changes())), "refresh_token")
        // A token that is two generations old is not the result of a lost response.
        #expect(try house.error(try await refresh(first, Changes())) == ErrorCode.invalidGrant)
        #expect(try house.error(try await refresh(third, Changes())) == ErrorCode.invalidGrant)
    }

    @Test("Attack 10: bound to a key, a token that is two back ends its family as well")
    func reuse() async throws {
        let first = try text(try await tokens(), "refresh_token")
        let second = try text(
            try house.json(try await refresh(first, Changes())), "refresh_token")
        let third = try text(
            try house.json(try await refresh(second, Changes())), "refresh_token")
        #expect(try house.error(try await refresh(first, Changes())) == ErrorCode.invalidGrant)
        #expect(try house.error(try await refresh(third, Changes())) == ErrorCode.invalidGrant)
    }

    @Test("A successor that was unused beyond its idle time is not issued")
    func idle() async throws {
        let first = try text(try await tokens(), "refresh_token")
        let second = try text(
            try house.json(try await refresh(first, Changes())), "refresh_token")
        house.clock.advance(by: .days(30))
        #expect(try house.error(try await refresh(first, Changes())) == ErrorCode.invalidGrant)
        #expect(try house.error(try await refresh(second, Changes())) == ErrorCode.invalidGrant)
    }

    @Test("Bound to nothing, ten seconds are the grace, also in a family that was bound later")
    func bearerGrace() async throws {
        let bare = try text(try await tokens(nil), "refresh_token")
        _ = try house.json(try await refresh(bare, Changes()))
        house.clock.advance(by: .seconds(11))
        #expect(try house.error(try await refresh(bare, Changes())) == ErrorCode.invalidGrant)
    }

    @Test("A refresh token that was bound to nothing becomes bound when a key is proven")
    func upgrades() async throws {
        let bare = try text(try await tokens(nil), "refresh_token")
        let bound = try house.json(try await refresh(bare, Changes()))
        let token = try text(bound, "refresh_token")
        #expect(try await refresh(token, nil).status == .badRequest)
        #expect(try await refresh(token, Changes()).status == .ok)
    }

    @Test("Forged bindings are no refresh tokens")
    func forgedBinding() async throws {
        let token = try text(try await tokens(), "refresh_token")
        let bytes = try #require(Base64URL.decode(token.dropFirst(3)))
        #expect(token.hasPrefix("gk.") && bytes.count == 88)
        let thief = try PrivateJWK.generate(for: .es256)
        let rebound = bytes[..<24] + thief.publicKey.thumbprint + bytes[56...]
        let unbound = bytes[..<24] + bytes[56...]
        for forged in [
            "gk." + Base64URL.encode(Array(rebound)), "gr." + Base64URL.encode(Array(unbound)),
            "gr." + token.dropFirst(3), "gk." + Base64URL.encode(Array(unbound)),
        ] {
            let refused = try await refresh(forged, Changes(key: thief))
            #expect(try house.error(refused) == ErrorCode.invalidGrant)
        }
    }

    @Test("It is revoked without a proof, and looked at with its binding")
    func revokes() async throws {
        let body = try await tokens()
        let token = try text(body, "refresh_token")
        let answer = try await house.post("/revoke", ["token": token, "client_id": "app"])
        #expect(answer.status == .ok)
        #expect(
            try house.error(try await refresh(token, Changes())) == ErrorCode.invalidGrant)
    }

    @Test("A client that always proves its key gets nothing without")
    func always() async throws {
        try await house.change(client: "app") { $0.metadata.bindsAccessTokens = true }
        #expect(try await tokens(nil)["error"]?.string == ErrorCode.invalidDPoPProof)
        #expect(try await tokens()["token_type"] == "DPoP")
    }

    @Test("Clients that authenticate have bound access tokens, and refresh with any key")
    func confidential() async throws {
        let code = try await house.code(
            cookie: try await house.signIn().cookie, ["scope": "openid offline_access"])
        var headers = OAuthHouse.basic("shop")
        headers.append(
            contentsOf: try fields(try proof("POST", "/token")))
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        let body = try house.json(try await house.post("/token", form, headers: headers))
        #expect(body["token_type"] == "DPoP")
        let renewed = try await house.refresh(try text(body, "refresh_token"))
        #expect(try house.json(renewed)["token_type"] == "Bearer")
    }

    // MARK: Proofs

    @Test("Attack 23: two proofs, one for another place, one that was used before")
    func wrongProofs() async throws {
        // Shown twice within its grace, so that nothing but the proof is wrong.
        let form = [
            "grant_type": "refresh_token",
            "refresh_token": try text(try await tokens(), "refresh_token"),
        ]
        let used = try proof("POST", "/token")
        #expect(try await post(form, used).status == .ok)
        for wrong in [
            used, try proof("GET", "/token"), try proof("POST", "/revoke"),
            try proof("POST", "/token", Changes(address: "https://evil.example/token")), "x",
        ] {
            let refused = try await post(form, wrong)
            #expect(refused.status == .badRequest)
            #expect(try house.error(refused) == ErrorCode.invalidDPoPProof)
        }
        let two = try await house.post(
            "/token", form.merging(["client_id": "app"]) { old, _ in old },
            headers: try fields(try proof("POST", "/token"), try proof("POST", "/token")))
        #expect(try house.error(two) == ErrorCode.invalidDPoPProof)
    }

    @Test("One proof that arrives many times at once counts once")
    func race() async throws {
        let token = try text(try await tokens(), "refresh_token")
        let text = try proof("POST", "/token")
        let form = ["grant_type": "refresh_token", "refresh_token": token]
        let errors = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<12 { group.addTask { try house.error(try await post(form, text)) } }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(errors.count { $0 == nil } == 1)
        #expect(errors.count { $0 == ErrorCode.invalidDPoPProof } == 11)
    }

    @Test(
        "Whose clock is wrong is given a nonce, and goes on with it",
        arguments: [3600, -3600, 61, -61] as [Int64])
    func clocks(age: Int64) async throws {
        let form = ["grant_type": "refresh_token", "refresh_token": "x"]
        let refused = try await post(form, try proof("POST", "/token", Changes(age: age)))
        #expect(try house.error(refused) == ErrorCode.useDPoPNonce)
        let nonce = try #require(try nonce(refused))
        let changes = Changes(age: age, nonce: nonce)
        let heard = try await post(form, try proof("POST", "/token", changes))
        #expect(try house.error(heard) == ErrorCode.invalidGrant)
        house.clock.advance(by: .seconds(301))
        let late = try await post(form, try proof("POST", "/token", changes))
        #expect(try house.error(late) == ErrorCode.useDPoPNonce)
    }

    @Test("Times at the ends of time are only wrong", arguments: [Int64.max, .min, 0])
    func endsOfTime(issuedAt: Int64) async throws {
        let form = ["grant_type": "refresh_token", "refresh_token": "x"]
        let refused = try await post(
            form, try proof("POST", "/token", Changes(issuedAt: issuedAt)))
        #expect(try house.error(refused) == ErrorCode.useDPoPNonce)
    }

    @Test("Ten seconds of clock skew either way are accepted", arguments: [10, -10, 60] as [Int64])
    func skew(age: Int64) async throws {
        let body = try await tokens(Changes(age: age))
        #expect(body["token_type"] == "DPoP")
    }

    @Test("Nonces of others, and of another purpose, are none")
    func foreignNonces() async throws {
        let form = ["grant_type": "refresh_token", "refresh_token": "x"]
        let signIn = try await house.send(.post, "/registration/sign-in/challenge")
        let other = try #require(ServerChallenge(try house.json(signIn))).nonce
        for nonce in ["", "x", other] {
            let refused = try await post(
                form, try proof("POST", "/token", Changes(nonce: nonce)))
            #expect(try house.error(refused) == ErrorCode.useDPoPNonce)
        }
    }

    // MARK: What tokens open

    private static let places = [
        "/userinfo", "/registration/installations", "/entitlements",
    ]
    private static let allScopes =
        "openid profile offline_access registration entitlements"

    @Test("With a proof for this request and this token it opens", arguments: places)
    func opens(path: String) async throws {
        let token = try text(try await tokens(scope: Self.allScopes), "access_token")
        let answer = try await ask(
            path, token, try fields(try proof("GET", path, Changes(token: token))))
        #expect(answer.status == .ok)
    }

    @Test("Attack 23: shown as a bearer token it is of no use", arguments: places)
    func downgrade(path: String) async throws {
        let token = try text(try await tokens(scope: Self.allScopes), "access_token")
        #expect(try await ask(path, token, scheme: "Bearer", [:]).status == .unauthorized)
        let proofs = try fields(try proof("GET", path, Changes(token: token)))
        #expect(try await ask(path, token, scheme: "Bearer", proofs).status == .unauthorized)
    }

    @Test("Attack 22: the proof is of the token's key, for this token", arguments: places)
    func binding(path: String) async throws {
        let token = try text(try await tokens(scope: Self.allScopes), "access_token")
        let thief = try PrivateJWK.generate(for: .es256)
        let stolen = try await ask(
            path, token, try fields(try proof("GET", path, Changes(key: thief, token: token))))
        #expect(stolen.status == .unauthorized)
        for changes in [Changes(), Changes(token: "another")] {
            let answer = try await ask(path, token, try fields(try proof("GET", path, changes)))
            #expect(answer.status == .unauthorized)
            let challenge = try #require(answer.headers[.wwwAuthenticate])
            #expect(challenge.hasPrefix("DPoP ") && challenge.contains("invalid_dpop_proof"))
            #expect(challenge.contains(#"algs="ES256 EdDSA PS256""#))
        }
        #expect(try await ask(path, token, [:]).status == .unauthorized)
    }

    @Test("A token that is bound to nothing opens nothing under that scheme", arguments: places)
    func unbound(path: String) async throws {
        let scope = "openid profile offline_access entitlements"
        let token = try text(try await tokens(scope: scope, nil), "access_token")
        let proofs = try fields(try proof("GET", path, Changes(token: token)))
        #expect(try await ask(path, token, proofs).status == .unauthorized)
        // The scope `registration` requires a key.
        let opens = !path.hasPrefix("/registration")
        #expect(
            try await ask(path, token, scheme: "Bearer", [:]).status == (opens ? .ok : .forbidden))
    }

    @Test("There too a wrong clock is told a nonce", arguments: places)
    func resourceNonce(path: String) async throws {
        let token = try text(try await tokens(scope: Self.allScopes), "access_token")
        var changes = Changes(age: 900, token: token)
        let refused = try await ask(path, token, try fields(try proof("GET", path, changes)))
        #expect(refused.status == .unauthorized)
        changes.nonce = try nonce(refused)
        #expect(changes.nonce != nil)
        changes.identifier = UUIDText.make()
        let opened = try await ask(path, token, try fields(try proof("GET", path, changes)))
        #expect(opened.status == .ok)
    }

    // MARK: As evidence

    @Test("A bound token is evidence for its own key, and for no other")
    func evidence() async throws {
        var project = house.tenant.project
        project.policy.registration.methods = ["oidc"]
        #expect(try await house.provider.store.projects.save(project))
        house.provider.tenants.invalidate()
        let token = try text(try await tokens(), "access_token")
        let own = try AppKey(pair, .es256)
        let other = try AppKey()
        #expect(try await register(other, token) == .unauthorized)
        #expect(try await register(own, token) == .created)
    }

    private func register(_ key: AppKey, _ token: String) async throws -> HTTPResponse.Status {
        let headers: HTTPFields = [.contentType: "application/json"]
        let challenge = try await house.send(
            .post, "/registration/challenge", headers: headers, body: #"{"method":"oidc"}"#)
        let nonce = try #require(ServerChallenge(try house.json(challenge))).nonce
        let request = AppRegistrationRequest(
            method: .oidc,
            registrationID: Identifier(now: house.clock.now, random: house.random), nonce: nonce,
            evidence: JSONObject([.init(name: "access_token", value: .string(token))]),
            key: key.sent, keyProof: try key.proof(nonce))
        return try await house.send(
            .post, "/registration", headers: headers, body: request.json.text
        ).status
    }
}
