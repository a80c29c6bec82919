// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Testing

@Suite struct AppRegistrationTests {
    private let pair: PrivateJWK
    private let signer: JOSESigner
    private let key: InstallationKey

    init() throws {
        pair = try PrivateJWK.generate(for: .es256)
        signer = try JOSESigner(pair, algorithm: .es256)
        key = try InstallationKey(pair.publicKey)
    }

    // MARK: Methods

    @Test(
        "Old names of methods are read, and today's are written",
        arguments: [
            ("FSSO", "signedJWT"), ("TEST", "testKey"), ("DEVICE_CHECK", "deviceCheck"),
            ("PLAY_INTEGRITY", "playIntegrity"), ("signedJWT", "signedJWT"),
            ("appAttest", "appAttest"),
            ("fsso", "fsso"),
        ])
    func methods(sent: String, kept: String) {
        #expect(AppRegistrationMethod(rawValue: sent).rawValue == kept)
    }

    @Test("Every code corresponds to an error of the Sudo User SDK")
    func codes() {
        let known = [
            "alreadyRegistered", "invalidInput", "invalidRegistrationChallengeType",
            "notAuthorized", "notSignedIn", "invalidConfig", "serviceError",
        ]
        for code in RegistrationErrorCode.allCases { #expect(known.contains(code.sudoError)) }
    }

    // MARK: Bindings

    @Test("A binding is SHA-256 of the nonce's text and the key's canonical JSON")
    func binding() throws {
        // RFC 7517 appendix A.1; the hash computed with Python's hashlib.
        let jwk = try JSONParser.parse(
            Array(
                #"{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
                    .utf8)
                + Array(#""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","kid":"1"}"#.utf8),
            maximumBytes: 1024)
        let key = try InstallationKey(jwk)
        #expect(key.keyID == "1")
        let binding = KeyBinding(nonce: "bm9uY2U", key: key)
        #expect(Base64URL.encode(binding.bytes) == "HtroR79RxalvS0nETTqpK1-dnED0wJ-Jfh7god5HD2s")
    }

    @Test("A proof is of one key, one nonce and one type")
    func proofs() throws {
        let binding = KeyBinding(nonce: "a", key: key)
        let proof = try binding.proof(signedBy: signer)
        #expect(binding.isProven(by: proof))
        #expect(!KeyBinding(nonce: "b", key: key).isProven(by: proof))
        let other = try PrivateJWK.generate(for: .es256)
        #expect(
            !KeyBinding(nonce: "a", key: try InstallationKey(other.publicKey)).isProven(by: proof))
        #expect(!binding.isProven(by: try binding.proof(signedBy: JOSESigner(other))))
        let typed = try signer.sign(payload: binding.bytes, typ: "JWT")
        #expect(!binding.isProven(by: String(decoding: typed, as: UTF8.self)))
        #expect(!binding.isProven(by: ""))
    }

    // MARK: Keys

    @Test("The object of the Sudo User SDK is read, as an object and as the text that it sends")
    func sudoObject() throws {
        let rsa = try PrivateJWK.generate(for: .rs256)
        let modulus = try #require(rsa.publicKey.json["n"]?.string.flatMap { Base64URL.decode($0) })
        #expect(modulus.count == 256 && rsa.publicKey.json["e"] == "AQAB")
        // RFC 8017 appendix A.1.1: RSAPublicKey.
        let body = [0x02, 0x82, 0x01, 0x01, 0x00] + modulus + [0x02, 0x03, 0x01, 0x00, 0x01]
        let sent: JSONValue = [
            "keyId": "mine", "algorithm": "RSA", "symmetricAlgorithm": "AES/256",
            "publicKey": .string(Base64.encode([0x30, 0x82, 0x01, 0x0A] + body)),
        ]
        for value in [sent, .string(sent.text)] {
            let key = try InstallationKey(value)
            #expect(key.jwk == (try InstallationKey(rsa.publicKey)).jwk)
            #expect(key.keyID == "mine" && key.algorithm == .rs256)
        }
    }

    @Test("A key says itself what it is called")
    func sudoKey() throws {
        let rsa = try PrivateJWK.generate(for: .rs256)
        let pem = try rsa.pem().revealText()
        #expect(pem.hasPrefix("-----BEGIN RSA PRIVATE KEY-----"))
        let key = try InstallationKey(rsa.publicKey)
        #expect(key.algorithm == .rs256 && key.keyID == rsa.publicKey.thumbprintText)
        let named = try InstallationKey(
            JSONValue.object(
                JSONObject([
                    .init(name: "kty", value: "RSA"), .init(name: "kid", value: "mine"),
                    .init(name: "n", value: try #require(rsa.publicKey.json["n"])),
                    .init(name: "e", value: try #require(rsa.publicKey.json["e"])),
                ])))
        #expect(named.jwk == key.jwk && named.keyID == "mine")
    }

    @Test(
        "Keys of other kinds, private ones and long names are refused",
        arguments: [
            .null, 7, "", "x", "{", "{}", #"{"publicKey":7}"#, #"{"a":{},"a":{}}"#, [:],
            ["kty": "oct", "k": "AAAA"], ["publicKey": 7, "keyId": "a"],
        ] as [JSONValue])
    func otherKeys(value: JSONValue) {
        #expect(throws: JOSEError.self) { try InstallationKey(value) }
    }

    @Test("A key's name is short")
    func keyNames() throws {
        #expect(throws: JOSEError.self) { try InstallationKey(pair.publicKey, keyID: "") }
        #expect(throws: JOSEError.self) {
            try InstallationKey(pair.publicKey, keyID: String(repeating: "a", count: 256))
        }
        #expect(throws: JOSEError.self) {
            try InstallationKey(PrivateJWK.generate(for: .es384).publicKey)
        }
    }

    // MARK: Messages

    private var request: AppRegistrationRequest {
        AppRegistrationRequest(
            method: .signedJWT,
            registrationID: Identifier(
                now: Timestamp(seconds: 1), random: SystemRandomSource()),
            nonce: "n", evidence: JSONObject([.init(name: "token", value: "t")]),
            key: key.jwk.json, keyProof: "p", name: "Notes")
    }

    @Test("A request is read as it was written")
    func roundTrip() throws {
        let request = request
        let read = try AppRegistrationRequest(try #require(request.json.object))
        #expect(read.json == request.json)
        let answer = AppRegistrationResponse(
            method: .testKey, registrationID: request.registrationID.description, userID: "u",
            username: "anna", installationID: "i", keyID: nil,
            registeredAt: Timestamp(seconds: 5))
        let body = try JSONParser.parseObject(answer.json, maximumBytes: 4096)
        #expect(AppRegistrationResponse(body) == answer)
        let challenge = ServerChallenge(nonce: "n", audience: "a", lifetime: 300)
        #expect(
            ServerChallenge(try JSONParser.parseObject(challenge.json, maximumBytes: 4096))
                == challenge)
    }

    @Test(
        "A name is one line without characters that change or hide its surroundings",
        arguments: [
            ("Anna\u{202E}gpj", "Annagpj"), ("  Anna's \u{2028} phone ", "Anna's phone"),
            ("\u{200B}", ""), ("Annas Gerät 📱", "Annas Gerät 📱"),
        ])
    func names(sent: String, kept: String) throws {
        #expect(AppRegistrationRequest.name(.string(sent)) == kept)
    }

    @Test(
        "Errors in a request have distinct codes",
        arguments: [
            ("method", nil, .missing("method")), ("nonce", .null, .missing("nonce")),
            ("nonce", .string(String(repeating: "a", count: 513)), .malformed("nonce")),
            ("registration_id", "01890a5d", .malformed("registration_id")),
            ("evidence", nil, .missing("evidence")), ("evidence", [], .malformed("evidence")),
            ("name", .string(String(repeating: "a", count: 129)), .malformed("name")),
            ("name", "a\u{7}", .malformed("name")),
            ("key_proof", .string(String(repeating: "a", count: 4097)), .malformed("key_proof")),
        ] as [(String, JSONValue?, AppRegistrationRequest.ParseError)])
    func mistakes(
        name: String, value: JSONValue?, mistake: AppRegistrationRequest.ParseError
    ) throws {
        var body = try #require(request.json.object)
        body[name] = value
        #expect(throws: mistake) { try AppRegistrationRequest(body) }
    }

    @Test("An attribute never takes the place of a registered claim")
    func attributes() throws {
        var token = IssuedToken(
            issuer: "i", subject: "s", tokenID: "t", issuedAt: 1, expiresAt: 2)
        token.attributes = JSONObject([
            .init(name: "sub", value: "root"), .init(name: "exp", value: 9),
            .init(name: "plan", value: "gold"),
        ])
        let claims = try JSONParser.parseObject(token.json, maximumBytes: 4096)
        #expect(claims["sub"] == "s" && claims["exp"] == 2 && claims["plan"] == "gold")
        #expect(claims["aud"] == "identity-service")
    }

    @Test("A sign-in token speaks of itself")
    func signInTokens() throws {
        let token = SignInToken(userID: "u", audience: "a", nonce: "n", expiresAt: 5)
        let parts = try token.signed(by: signer).split(separator: ".")
        let claims = try JSONParser.parseObject(
            #require(Base64URL.decode(parts[1])), maximumBytes: 4096)
        #expect(SignInToken(claims) == token)
        for (name, value) in [("sub", "x"), ("aud", nil), ("jti", nil), ("exp", "5")]
            as [(String, JSONValue?)]
        {
            var wrong = claims
            wrong[name] = value
            #expect(SignInToken(wrong) == nil)
        }
    }
}
