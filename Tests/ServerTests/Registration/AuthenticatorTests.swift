// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderInstallations
import Storage
import Support
import Testing

/// Further keys of an installation: a recently authenticated person adds them, the project's policy
/// must allow their kind, and they are deleted with the installation.
@Suite struct AuthenticatorTests {
    private let house: RegistrationHouse
    private let key: AppKey
    private let userID: String

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.authenticators = ["biometric", "ring"] }
        key = try AppKey()
        userID = try await house.registered(key).userID
    }

    private func token(_ key: AppKey? = nil) async throws -> String {
        let body = try await house.signIn(key ?? self.key, as: userID)
        return try #require(body["access_token"]?.string)
    }

    private func nonce() async throws -> String {
        let answer = try await house.call(.post, "/registration/authenticators/challenge")
        return try #require(ServerChallenge(answer.body)).nonce
    }

    private func body(
        _ key: AppKey, kind: String = "biometric", _ change: [String: JSONValue?] = [:]
    ) async throws -> JSONValue {
        let nonce = try await nonce()
        var body = JSONObject()
        body["kind"] = .string(kind)
        body["nonce"] = .string(nonce)
        body["public_key"] = key.sent
        body["key_proof"] = .string(try key.proof(nonce))
        body["name"] = "Anna's face"
        for (name, value) in change { body[name] = value }
        return .object(body)
    }

    private func add(
        _ body: JSONValue, token: String? = nil
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        let sent = if let token { token } else { try await self.token() }
        return try await house.call(.post, "/registration/authenticators", body, token: sent)
    }

    private func list() async throws -> [JSONValue] {
        let answer = try await house.call(
            .get, "/registration/authenticators", token: try await token())
        return answer.body["items"]?.array ?? []
    }

    @Test("One that the key alone has added is worth as much as the key, whatever its kind")
    func signsIn() async throws {
        let standings: [(kind: String, context: String, methods: [String])] = [
            ("biometric", ContextClass.password.rawValue, ["swk"]),
            ("ring", ContextClass.password.rawValue, ["swk"]),
        ]
        for (kind, context, methods) in standings {
            let other = try AppKey()
            let added = try await add(try await body(other, kind: kind))
            #expect(added.status == 201 && added.body["kind"]?.string == kind)
            #expect(added.body["key_id"]?.string == other.key.jwk.thumbprintText)
            let tokens = try await house.signIn(other, as: userID)
            let claims = try house.oauth.claims(of: try #require(tokens["access_token"]?.string))
            #expect(claims["acr"]?.string == context && claims["amr"]?.strings == methods)
        }
        // Both have the same time, so their order is not determined.
        #expect(Set(try await list().compactMap { $0["kind"]?.string }) == ["biometric", "ring"])
        #expect(try await list().first?["name"] == "Anna's face")
        #expect(try await house.events("authenticator.added").count == 2)
    }

    @Test("A lost answer is given again, to the same key")
    func again() async throws {
        let other = try AppKey()
        let first = try await add(try await body(other))
        let second = try await add(try await body(other))
        #expect(first.status == 201 && second.status == 200)
        #expect(first.body["id"] == second.body["id"])
        #expect(try await list().count == 1)
    }

    @Test("It goes when it is removed, and with the installation")
    func leaves() async throws {
        let (one, other) = (try AppKey(), try AppKey())
        let id = try #require(try await add(try await body(one)).body["id"]?.string)
        _ = try await add(try await body(other))
        let path = "/registration/authenticators/"
        let removed = try await house.call(.delete, path + id, token: try await token())
        #expect(removed.status == 204)
        #expect(try await house.signIn(one, as: userID)["error"] == "invalid_grant")
        for name in [id, "x", UUIDText.make()] {
            let gone = try await house.call(.delete, path + name, token: try await token())
            #expect(gone.status == 404 && gone.body["code"] == "unknown_authenticator")
        }
        let left = try await token(other)
        _ = try await house.call(.delete, "/registration/installations/current", token: left)
        #expect(try await house.signIn(other, as: userID)["error"] == "invalid_grant")
    }

    // MARK: Refusals

    @Test("A kind that the project does not offer is not added, and stops being good")
    func offered() async throws {
        let refused = try await add(try await body(try AppKey(), kind: "face"))
        #expect(refused.status == 400 && refused.body["code"] == "authenticator_not_offered")
        let other = try AppKey()
        _ = try await add(try await body(other))
        try await house.change { $0.policy.registration.authenticators = [] }
        #expect(try await house.signIn(other, as: userID)["error"] == "invalid_grant")
        #expect(try await house.signIn(key, as: userID)["access_token"] != nil)
    }

    @Test("An installation has eight at most")
    func bounded() async throws {
        let token = try await token()
        for _ in 0..<InstallationAuthenticator.maximumCount {
            #expect(try await add(try await body(try AppKey()), token: token).status == 201)
        }
        let more = try await add(try await body(try AppKey()), token: token)
        #expect(more.body["code"] == "authenticator_not_offered")
    }

    @Test(
        "What is missing or cannot be read",
        arguments: [
            (["kind": nil], "missing_input"), (["nonce": nil], "missing_input"),
            (["public_key": nil], "missing_input"), (["key_proof": nil], "missing_input"),
            (["kind": "Face"], "malformed_input"), (["kind": ""], "malformed_input"),
            (["public_key": ["kty": "oct", "k": "AA"]], "malformed_input"),
            (["name": 7], "malformed_input"), (["name": "a\u{1}"], "malformed_input"),
            (["name": .string(String(repeating: "a", count: 129))], "malformed_input"),
            (["nonce": "x"], "challenge_refused"), (["key_proof": "x"], "key_proof_refused"),
        ] as [([String: JSONValue?], String)])
    func malformed(_ change: [String: JSONValue?], _ code: String) async throws {
        let refused = try await add(try await body(try AppKey(), change))
        #expect(refused.body["code"]?.string == code)
        #expect(try await list().isEmpty)
    }

    @Test("A nonce is used once, and one for a registration is none")
    func nonces() async throws {
        let token = try await token()
        let nonce = try await nonce()
        func body(_ key: AppKey, _ nonce: String) throws -> JSONValue {
            [
                "kind": "biometric", "nonce": .string(nonce), "public_key": key.sent,
                "key_proof": .string(try key.proof(nonce)),
            ]
        }
        #expect(try await add(try body(try AppKey(), nonce), token: token).status == 201)
        let used = try await add(try body(try AppKey(), nonce), token: token)
        #expect(used.body["code"] == "challenge_refused")
        let foreign = try await house.nonce()
        let refused = try await add(try body(try AppKey(), foreign), token: token)
        #expect(refused.body["code"] == "challenge_refused")
        house.oauth.clock.advance(by: .seconds(301))
        let late = try await add(try body(try AppKey(), nonce), token: token)
        #expect(late.body["code"] == "challenge_refused")
    }

    @Test("A registered key is refused, the installation's own included")
    func taken() async throws {
        let other = try AppKey()
        _ = try await house.registered(other, subject: "bert")
        for known in [key, other] {
            let refused = try await add(try await body(known))
            #expect(refused.status == 409 && refused.body["code"] == "key_taken")
        }
    }

    @Test("Who signed in long ago adds nothing")
    func fresh() async throws {
        let token = try await token()
        house.oauth.clock.advance(by: .seconds(601))
        let refused = try await add(try await body(try AppKey()), token: token)
        #expect(refused.status == 403 && refused.body["code"] == "fresh_sign_in_needed")
        #expect(try await house.events("authenticator.added").count == 1)
    }

    @Test("With a PIN, an authenticator is added only after its entry")
    func pin() async throws {
        let device = try await AppDevice.registered(in: house, subject: "carla")
        let tokens = try await device.signIn("24681").body
        let pinned = try #require(tokens["access_token"]?.string)
        let claims = try house.oauth.claims(of: pinned)
        let person = try #require(claims["sub"]?.string)
        let face = try AppKey()
        #expect(try await add(try await body(face), token: pinned).status == 201)
        let byFace = try await house.signIn(face, as: person)
        let refused = try await add(
            try await body(try AppKey()),
            token: try #require(byFace["access_token"]?.string))
        #expect(refused.body["code"] == "fresh_sign_in_needed")
    }

    @Test("The last wrong PIN ends the authenticators with the rest")
    func locked() async throws {
        let device = try await AppDevice.registered(in: house, subject: "dora")
        let tokens = try await device.signIn("24681").body
        let pinned = try #require(tokens["access_token"]?.string)
        let person = try #require(try house.oauth.claims(of: pinned)["sub"]?.string)
        let face = try AppKey()
        _ = try await add(try await body(face), token: pinned)
        for _ in 0..<5 { _ = try await device.signIn("11223") }
        #expect(try await house.signIn(face, as: person)["error"] == "invalid_grant")
    }

    @Test("A token without a person, of another scope, or of no installation")
    func tokens() async throws {
        let path = "/registration/authenticators"
        let none = try await house.call(.get, path)
        #expect(none.status == 401 && none.body["code"] == "not_signed_in")
        let challenge = try await house.signInChallenge()
        let assertion = try SignInToken(
            userID: userID, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 300
        ).signed(by: key.signer)
        let narrow = try house.oauth.json(try await house.signIn(assertion, scope: "openid"))
        let scopeless = try await house.call(
            .get, path, token: narrow["access_token"]?.string)
        #expect(scopeless.body["code"] == "scope_missing")
        let federated = try await house.signIn(house.token().signed(by: house.signer))
        let foreign = try await house.call(
            .get, path, token: try house.oauth.json(federated)["access_token"]?.string)
        #expect(foreign.body["code"] == "unknown_installation")
    }
}
