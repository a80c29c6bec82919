// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderSettings
import Storage
import Support
import Testing

@Suite struct SignedJWTRegistrationTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    // MARK: What goes well

    @Test("An issuer's token registers a person, in one commit with the audit event")
    func registers() async throws {
        let token = try house.token().signed(by: house.signer)
        let request = try await house.request(token: token)
        var answer: (status: Int, body: JSONObject, headers: HTTPFields)?
        let cost = try await house.oauth.engine.count {
            answer = try await house.send(request)
        }
        #expect(cost.writes == 1)
        #expect(answer?.status == 201)
        let told = try #require(answer.flatMap { AppRegistrationResponse($0.body) })
        #expect(told.method == .signedJWT)
        #expect(told.registrationID == request.registrationID.description)
        #expect(told.username == "anna-7" && told.keyID == nil)
        let id = try #require(Identifier<Person>(told.userID))
        let person = try #require(try await house.provider.store.people.person(id))
        #expect(person.username == "anna-7" && person.realm == RegistrationHouse.issuer)
        #expect(person.origin == "signedJWT")
        let events = try await house.events("registration.signedJWT")
        #expect(events.map(\.person) == [id] && events.map(\.outcome) == [.accepted])
    }

    @Test("The names of the Sudo User SDK mean the same")
    func legacyNames() async throws {
        var request = try await house.request(
            token: house.token().signed(by: house.signer), nonce: try await house.nonce("FSSO"))
        request.method = AppRegistrationMethod(rawValue: "FSSO")
        #expect(try await house.outcome(request) == "registered")
        #expect(AppRegistrationMethod.signedJWT.legacyName == "FSSO")
    }

    @Test(
        "A key comes with the registration, as JWK or as the seed's base64 of PKCS #1",
        arguments: [JWSAlgorithm.es256, .rs256])
    func withKey(algorithm: JWSAlgorithm) async throws {
        let key = try AppKey(algorithm)
        let told = try await house.registered(key)
        #expect(told.keyID == key.key.keyID)
        let id = try #require(Identifier<Person>(told.userID))
        let kinds = try await house.provider.store.credentials.credentials(of: id).map(
            \.kind.rawValue)
        #expect(Set(kinds) == ["sign_in_key", "federated_identity"])
    }

    @Test("Chosen attributes are kept with the person, others are not, claims never")
    func attributes() async throws {
        var token = house.token()
        token.attributes = JSONObject([
            .init(name: "plan", value: "gold"), .init(name: "seats", value: 3),
            .init(name: "email", value: "x@example.com"), .init(name: "sub", value: "root"),
            .init(name: "iss", value: "https://other.example"),
        ])
        let answer = try await house.send(
            house.request(token: token.signed(by: house.signer)))
        let told = try #require(AppRegistrationResponse(answer.body))
        let id = try #require(Identifier<Person>(told.userID))
        let person = try #require(try await house.provider.store.people.person(id))
        #expect(person.attributes == #"{"plan":"gold","seats":3}"#)
        #expect(person.username == "anna-7" && person.claims.email == nil)
    }

    @Test("Two issuers may have the same sub; they are two people, and not the local one")
    func realms() async throws {
        let other = try await RegistrationHouse.addIssuer(
            "https://b.example", kid: "k1", to: house.oauth)
        var token = house.token("anna")
        let first = try await house.send(house.request(token: token.signed(by: house.signer)))
        token.issuer = "https://b.example"
        let second = try await house.send(house.request(token: token.signed(by: other)))
        #expect(first.status == 201 && second.status == 201)
        let ids = [first, second].compactMap { $0.body["user_id"]?.string }
        #expect(Set(ids + [house.oauth.anna.id.description]).count == 3)
    }

    @Test(
        "Every algorithm that an issuer may have",
        arguments: [JWSAlgorithm.rs256, .es256, .edDSA, .ps256])
    func algorithms(algorithm: JWSAlgorithm) async throws {
        let signer = try await RegistrationHouse.addIssuer(kid: "k2", algorithm, to: house.oauth)
        let request = try await house.request(token: house.token().signed(by: signer))
        #expect(try await house.outcome(request) == "registered")
    }

    // MARK: Once, and again

    @Test("A lost answer is given again, to the same bytes and to a fresh attempt")
    func repeats() async throws {
        let key = try AppKey()
        let request = try await house.request(
            token: house.token().signed(by: house.signer), key: key)
        let first = try await house.send(request)
        let again = try await house.send(request)
        #expect(first.status == 201 && again.status == 200)
        #expect(first.body.withoutNext == again.body.withoutNext)
        let fresh = try await house.request(
            token: house.token().signed(by: house.signer), key: key, id: request.registrationID)
        let later = try await house.send(fresh)
        #expect(later.status == 200 && later.body.withoutNext == first.body.withoutNext)
        // The token has expired by then, the key has not.
        house.oauth.clock.advance(by: .hours(2))
        var late = request
        late.nonce = try await house.nonce()
        late.keyProof = try key.proof(late.nonce)
        let last = try await house.send(late)
        #expect(last.status == 200 && last.body.withoutNext == first.body.withoutNext)
        #expect(try await house.events("registration.signedJWT").count == 1)
    }

    @Test(
        "No issuer is called as the provider is reserved for upstream providers",
        arguments: [
            "urn:gatehouse:identity-provider:bank", "URN:gatehouse:x", "idp:acme",
            "upstream-provider 0190 https://acme.example",
        ])
    func reservedIssuer(_ issuer: String) {
        do {
            _ = try StateParser.issuerKey(["issuer": .string(issuer), "kid": "k1", "alg": "ES256"])
            Issue.record("such an issuer was taken")
        } catch {
            #expect(
                error.problems.contains {
                    $0.message.contains("is reserved for upstream providers")
                })
        }
    }

    @Test("A registration id identifies one key, one person and one method")
    func otherKey() async throws {
        let request = try await house.request(
            token: house.token().signed(by: house.signer), key: AppKey())
        #expect(try await house.outcome(request) == "registered")
        let otherKey = try await house.request(
            token: house.token().signed(by: house.signer), key: AppKey(),
            id: request.registrationID)
        #expect(try await house.outcome(otherKey) == "registration_id_taken")
        let noKey = try await house.request(
            token: house.token().signed(by: house.signer), id: request.registrationID)
        #expect(try await house.outcome(noKey) == "registration_id_taken")
        let test = try await house.request(
            .testKey, token: house.testToken().signed(by: house.addTestKey()), key: AppKey(),
            id: request.registrationID)
        #expect(try await house.outcome(test) == "registration_id_taken")
    }

    @Test("The same person again is registered already, and signs in all the same")
    func already() async throws {
        let first = try await house.send(
            house.request(token: house.token().signed(by: house.signer)))
        let again = try await house.request(token: house.token().signed(by: house.signer))
        #expect(try await house.outcome(again) == "already_registered")
        let answer = try house.oauth.json(
            try await house.signIn(try house.token().signed(by: house.signer)))
        let claims = try house.oauth.claims(of: answer["access_token"]?.string)
        #expect(claims["sub"]?.string == first.body["user_id"]?.string)
        #expect(claims["amr"] == nil)
    }

    @Test("A key belongs to one registration")
    func keyTaken() async throws {
        let key = try AppKey()
        _ = try await house.registered(key)
        let again = try await house.request(
            token: house.token("bea").signed(by: house.signer), key: key)
        #expect(try await house.outcome(again) == "key_taken")
    }

    @Test("A token is valid once, whatever its sender")
    func tokenUsed() async throws {
        let token = house.token("anna", id: "one")
        let first = try await house.request(token: token.signed(by: house.signer))
        #expect(try await house.outcome(first) == "registered")
        var second = token
        second.subject = "bea"
        let again = try await house.request(token: second.signed(by: house.signer))
        #expect(try await house.outcome(again) == "token_used")
    }

    // MARK: Refused tokens

    private func outcome(_ token: String) async throws -> String {
        try await house.outcome(house.request(token: token))
    }

    private func outcome(_ change: (inout IssuedToken) -> Void) async throws -> String {
        var token = house.token()
        change(&token)
        return try await outcome(token.signed(by: house.signer))
    }

    @Test("Attack 63: an unsigned token, one of another kind or audience, or an incomplete one")
    func refused() async throws {
        #expect(try await outcome { $0.issuer = "https://b.example" } == "token_refused")
        #expect(try await outcome { $0.audience = "other-service" } == "token_refused")
        #expect(try await outcome { $0.audience = TestWords.oauthIssuer } == "token_refused")
        #expect(try await outcome { $0.subject = "" } == "token_refused")
        #expect(try await outcome { $0.subject = " anna" } == "token_refused")
        #expect(try await outcome { $0.subject = "an\u{200B}na" } == "token_refused")
        #expect(try await outcome { $0.subject = "a\u{1F}https://b.example" } == "token_refused")
        #expect(
            try await outcome { $0.subject = String(repeating: "a", count: 129) }
                == "token_refused")
        #expect(try await outcome { $0.tokenID = "" } == "token_refused")
        #expect(
            try await outcome { $0.tokenID = String(repeating: "a", count: 256) }
                == "token_refused")
    }

    @Test("Times: expired, from the future, too long, in milliseconds")
    func times() async throws {
        let now = house.now
        #expect(
            try await outcome {
                $0.issuedAt = now - 3700; $0.expiresAt = now - 100
            }
                == "token_expired")
        #expect(
            try await outcome {
                $0.issuedAt = now + 100; $0.expiresAt = now + 200
            }
                == "token_refused")
        #expect(try await outcome { $0.expiresAt = now + 3601 } == "token_refused")
        #expect(try await outcome { $0.expiresAt = now } == "token_refused")
        #expect(
            try await outcome {
                $0.issuedAt = now * 1000; $0.expiresAt = now * 1000 + 60_000
            }
                == "token_time_unit")
        #expect(try await outcome { $0.expiresAt = (now + 60) * 1000 } == "token_time_unit")
    }

    @Test("The error names the unit; an issuer that counts milliseconds is registered as such")
    func milliseconds() async throws {
        var token = house.token()
        token.issuedAt *= 1000
        token.expiresAt *= 1000
        let refused = try await house.send(
            house.request(token: token.signed(by: house.signer)))
        #expect(refused.status == 403)
        #expect(refused.body["detail"]?.string?.contains("milliseconds") == true)
        let signer = try await RegistrationHouse.addIssuer(kid: "ms", to: house.oauth) {
            $0.settings.milliseconds = true
        }
        #expect(try await outcome(token.signed(by: signer)) == "registered")
    }

    @Test(
        "Claims that are missing or of another kind",
        arguments: [
            ["iat": nil], ["exp": nil], ["sub": nil], ["jti": nil], ["iss": nil], ["aud": nil],
            ["iat": "1800000000"], ["iat": .integer(.min)], ["nbf": -1], ["exp": 1e300], ["sub": 7],
            ["jti": 7], ["nbf": "now"],
            ["aud": ["identity-service", "other"]], ["aud": []], ["iss": ["https://idp.example"]],
        ] as [[String: JSONValue?]])
    func claims(changes: [String: JSONValue?]) async throws {
        var claims = try JSONParser.parseObject(house.token().json, maximumBytes: 4096)
        for (name, value) in changes { claims[name] = value }
        let token = try house.signer.sign(payload: claims.bytes, typ: "JWT")
        #expect(try await outcome(String(decoding: token, as: UTF8.self)) == "token_refused")
    }

    @Test("Times may have a fraction, as RFC 7519 has it and some libraries write it")
    func fractions() async throws {
        var claims = try JSONParser.parseObject(house.token().json, maximumBytes: 4096)
        let now = Double(house.now)
        (claims["iat"], claims["nbf"]) = (.number(now + 0.25), .number(now - 0.5))
        claims["exp"] = .number(now + 600.75)
        let token = try house.signer.sign(payload: claims.bytes, typ: "JWT")
        #expect(try await outcome(String(decoding: token, as: UTF8.self)) == "registered")
        claims["jti"] = .string(UUIDText.make())
        claims["exp"] = .number((now + 600) * 1000 + 0.5)
        let milliseconds = try house.signer.sign(payload: claims.bytes, typ: "JWT")
        #expect(
            try await outcome(String(decoding: milliseconds, as: UTF8.self)) == "token_time_unit")
    }

    @Test("An audience in a list of one is that audience; a not-before in the past is valid")
    func liberal() async throws {
        var claims = try JSONParser.parseObject(house.token().json, maximumBytes: 4096)
        claims["aud"] = ["identity-service"]
        claims["nbf"] = .integer(house.now - 10)
        let token = try house.signer.sign(payload: claims.bytes, typ: "JWT")
        #expect(try await outcome(String(decoding: token, as: UTF8.self)) == "registered")
    }

    @Test("Attack 15, 16, 18: another algorithm, no signature, an embedded key, a broken one")
    func signatures() async throws {
        let good = try house.token().signed(by: house.signer)
        let parts = good.split(separator: ".").map(String.init)
        func header(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
        #expect(try await outcome("") == "token_refused")
        #expect(try await outcome("a.b.c") == "token_refused")
        #expect(try await outcome(good + "A") == "token_refused")
        #expect(try await outcome("\(parts[0]).\(parts[1]).") == "token_refused")
        let none = header(#"{"alg":"none","kid":"k1"}"#)
        #expect(try await outcome("\(none).\(parts[1]).") == "token_refused")
        let stranger = try JOSESigner(
            PrivateJWK.generate(for: .es256).with(
                KeyParameters(keyID: "k1")), algorithm: .es256)
        #expect(try await outcome(house.token().signed(by: stranger)) == "token_refused")
        let brought = try stranger.sign(
            payload: house.token().json, typ: "JWT",
            header: [.init(name: "jwk", value: try #require(stranger.publicKey).json)])
        #expect(try await outcome(String(decoding: brought, as: UTF8.self)) == "token_refused")
        let secret = try SymmetricJWK(
            Secret(Array(try #require(house.signer.publicKey).json.bytes)),
            parameters: KeyParameters(keyID: "k1"))
        let hmac = try JOSESigner(secret, algorithm: .hs256)
        #expect(try await outcome(house.token().signed(by: hmac)) == "token_refused")
        let typed = try house.signer.sign(payload: house.token().json, typ: "at+jwt")
        #expect(try await outcome(String(decoding: typed, as: UTF8.self)) == "token_refused")
        #expect(try await outcome(good) == "registered")
    }

    @Test("An RSA key is for the one algorithm that it was registered for")
    func pinned() async throws {
        let pair = try PrivateJWK.generate(for: .rs256)
        try await RegistrationHouse.addIssuer(kid: "rsa", .rs256, to: house.oauth) {
            $0.publicJWK = pair.publicKey.json.text.replacing(#","alg":"RS256""#, with: "")
        }
        let bare = try pair.with(KeyParameters(keyID: "rsa"))
        let pss = try JOSESigner(bare, algorithm: .ps256)
        #expect(try await outcome(house.token().signed(by: pss)) == "token_refused")
        let pkcs1 = try JOSESigner(bare, algorithm: .rs256)
        #expect(try await outcome(house.token().signed(by: pkcs1)) == "registered")
    }

    @Test("A key is found by issuer and kid together, and no longer when it is removed")
    func keys() async throws {
        let b = try await RegistrationHouse.addIssuer(
            "https://b.example", kid: "kb", to: house.oauth)
        // The key of b says that it is the first issuer.
        #expect(try await outcome(house.token().signed(by: b)) == "token_refused")
        let unnamed = try JOSESigner(
            PrivateJWK.generate(for: .es256).with(KeyParameters()),
            algorithm: .es256)
        #expect(try await outcome(house.token().signed(by: unnamed)) == "token_refused")
        let key = try #require(
            try await house.provider.store.issuerKeys.issuerKey(
                issuer: RegistrationHouse.issuer, kid: "k1", in: house.oauth.tenant.project.id))
        _ = try await house.provider.store.issuerKeys.remove(issuerKey: key.id, of: key.project)
        house.provider.issuerKeys.invalidate()
        #expect(try await outcome(house.token().signed(by: house.signer)) == "token_refused")
    }

    @Test("Unauthenticated refusals are counted, those of an issuer's people listed")
    func audited() async throws {
        for _ in 0..<3 { _ = try await outcome("a.b.c") }
        #expect(try await house.events("registration.signedJWT").isEmpty)
        await house.provider.audit.flush()
        let counted = try await house.events("registration.signedJWT")
        #expect(counted.map(\.count) == [3] && counted.map(\.code) == ["token_refused"])
        _ = try await outcome { $0.audience = "other" }
        #expect(try await house.events("registration.signedJWT").count == 2)
    }
}

enum TestWords {
    static let oauthIssuer = OAuthHouse.issuer
}
