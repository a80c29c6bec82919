// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// What holds for every method: nonces, keys and their proofs, the form of requests.
@Suite struct RegistrationCeremonyTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    private func request(
        key: AppKey? = nil, nonce: String? = nil,
        _ change: (inout AppRegistrationRequest) -> Void = { _ in }
    ) async throws -> AppRegistrationRequest {
        var request = try await house.request(
            token: house.token(UUIDText.make()).signed(by: house.signer), key: key, nonce: nonce)
        change(&request)
        return request
    }

    @Test("A challenge costs the store nothing")
    func free() async throws {
        _ = try await house.nonce()
        let cost = try await house.oauth.engine.count { _ = try await house.nonce() }
        #expect(cost.writes == 0)
    }

    @Test(
        "A method that is not offered gets no nonce and no registration",
        arguments: [
            "appAttest", "keyAttestation", "TEAPOT", "signedjwt",
        ])
    func notOffered(method: String) async throws {
        let answer = try await house.call(
            .post, "/registration/challenge", ["method": .string(method)])
        #expect(answer.status == 400 && answer.body["code"] == "method_not_supported")
        let request = try await request { $0.method = AppRegistrationMethod(rawValue: method) }
        #expect(try await house.outcome(request) == "method_not_supported")
    }

    @Test("A project offers what it says")
    func offered() async throws {
        try await house.change { $0.policy.registration.methods = ["testKey"] }
        let answer = try await house.call(
            .post, "/registration/challenge", ["method": "signedJWT"])
        #expect(answer.body["code"] == "method_not_supported")
    }

    @Test("Attack 3, 63: an unknown nonce, or one of another purpose, project or time")
    func foreignNonces() async throws {
        let real = try await house.nonce()
        var forged = Array(real)
        forged[0] = forged[0] == "A" ? "B" : "A"
        let other = try await house.oauth.addProject("qa")
        let otherNonce = try await house.nonce(prefix: other.pathPrefix)
        for nonce in [
            "x", String(forged), real + "A", String(real.dropLast()), otherNonce,
            try await house.nonce("testKey"), try await house.signInChallenge().nonce,
            String(repeating: "A", count: 400),
        ] {
            #expect(try await house.outcome(request(nonce: nonce)) == "challenge_refused")
        }
        let request = try await request(nonce: real)
        house.oauth.clock.advance(by: .seconds(300))
        #expect(try await house.outcome(request) == "challenge_refused")
    }

    @Test("A nonce is used once")
    func nonceUsed() async throws {
        let nonce = try await house.nonce()
        #expect(try await house.outcome(request(nonce: nonce)) == "registered")
        #expect(try await house.outcome(request(nonce: nonce)) == "challenge_refused")
    }

    @Test("Attack 2: of many that use one nonce, one registers")
    func race() async throws {
        let nonce = try await house.nonce()
        var requests: [AppRegistrationRequest] = []
        for _ in 0..<12 { requests.append(try await request(nonce: nonce)) }
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for request in requests { group.addTask { try await house.outcome(request) } }
            var outcomes: [String] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        #expect(outcomes.count { $0 == "registered" } == 1)
        #expect(outcomes.count { $0 == "challenge_refused" } == 11)
    }

    @Test("A key must sign for itself, for this nonce")
    func proofs() async throws {
        let (key, other) = (try AppKey(), try AppKey())
        let nonce = try await house.nonce()
        let wrong: [String?] = [
            try other.proof(nonce), try key.proof(try await house.nonce()),
            try KeyBinding(nonce: nonce, key: other.key).proof(signedBy: key.signer), "", "a.b.c",
            String(
                decoding: try key.signer.sign(
                    payload: KeyBinding(nonce: nonce, key: key.key).bytes, typ: "JWT"),
                as: UTF8.self),
        ]
        for proof in wrong {
            let request = try await request(key: key, nonce: nonce) { $0.keyProof = proof }
            #expect(try await house.outcome(request) == "key_proof_refused")
        }
        let missing = try await request(key: key, nonce: nonce) { $0.keyProof = nil }
        #expect(try await house.outcome(missing) == "missing_input")
        #expect(try await house.outcome(request(key: key, nonce: nonce)) == "registered")
    }

    @Test("Unsuitable keys are refused")
    func weakKeys() async throws {
        let p384 = try PrivateJWK.generate(for: .es384)
        let ed25519 = try PrivateJWK.generate(for: .edDSA)
        let secret = try JSONParser.parse(
            PrivateJWK.generate(for: .es256).export().reveal(), maximumBytes: 4096)
        let strangers: [JSONValue] = [
            p384.publicKey.json, ed25519.publicKey.json, secret, ["kty": "oct", "k": "AAAA"], "x",
            7, ["kty": "EC"], ["publicKey": "x"], [], "MIIBCgKCAQEA",
        ]
        for stranger in strangers {
            let request = try await request(key: AppKey()) { $0.key = stranger }
            #expect(try await house.outcome(request) == "malformed_input", "\(stranger)")
        }
    }

    @Test(
        "What is missing, and what cannot be read, is named",
        arguments: [
            ("method", nil, "missing_input"), ("method", 7, "malformed_input"),
            ("method", "", "missing_input"),
            ("registration_id", nil, "missing_input"), ("registration_id", "1", "malformed_input"),
            ("nonce", nil, "missing_input"), ("nonce", 7, "malformed_input"),
            ("evidence", nil, "missing_input"), ("evidence", "x", "malformed_input"),
            ("evidence", [:], "missing_input"), ("name", "a\nb", "malformed_input"),
            ("name", 7, "malformed_input"), ("key_proof", 7, "malformed_input"),
        ] as [(String, JSONValue?, String)])
    func forms(name: String, value: JSONValue?, code: String) async throws {
        var body = try #require(try await request().json.object)
        body[name] = value
        let answer = try await house.call(.post, "/registration", .object(body))
        #expect(answer.status == 400 && answer.body["code"]?.string == code)
        let named =
            name == "evidence" && value != nil && code == "missing_input"
            ? "evidence.token" : name
        #expect(answer.body["detail"]?.string?.contains(named) == true)
    }

    @Test("A UUID in capitals is the same UUID")
    func capitals() async throws {
        let request = try await request()
        #expect(try await house.outcome(request) == "registered")
        var body = try #require(request.json.object)
        body["registration_id"] = .string(request.registrationID.description.uppercased())
        #expect(try await house.call(.post, "/registration", .object(body)).status == 200)
    }

    @Test("Only JSON is read")
    func mediaTypes() async throws {
        let response = try await house.oauth.post("/registration", ["method": "signedJWT"])
        #expect(response.status.code == 415)
        for body in ["", "[]", "{", #"{"a":1,"a":2}"#] {
            let answer = try await house.oauth.send(
                .post, "/registration", headers: [.contentType: "application/json"], body: body)
            #expect(answer.status.code == 400)
        }
    }

    @Test("Every endpoint is listed at the issuer, and in the document")
    func documented() async throws {
        let known = try await house.call(.get, "/.well-known/gatehouse")
        let addresses = try #require(known.body["registration"]?.object)
        let document = try await house.call(.get, "/registration/openapi.json")
        #expect(document.body["openapi"] == "3.1.0")
        let paths = try #require(document.body["paths"]?.object?.names)
        #expect(paths.count == 24)
        for name in ["challenge", "register", "sign_in_challenge", "installations", "account"] {
            let address = try #require(addresses[name]?.string)
            #expect(paths.contains(String(address.dropFirst(OAuthHouse.issuer.count))))
        }
        let text = JSONValue.object(document.body).text
        let schemas = try #require(document.body["components"]?["schemas"]?.object)
        for part in text.split(separator: "#/components/schemas/").dropFirst() {
            #expect(schemas[String(part.prefix { $0 != "\"" })] != nil)
        }
    }
}
