// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@Suite("Attacks on assertions inside of login requests")
struct AssertionAttackTests {
    private let parties = TestParties()

    @Test("Embedded assertion for another user: refused although both signatures are right")
    func otherUser() throws {
        for name in ["sub", "iss"] {
            let message = try parties.assertionLogin { $0[name] = "berta" }
            #expect(code(parties.verify(message)) == .userMismatch)
        }
        let both = try parties.assertionLogin {
            $0["sub"] = "berta"
            $0["iss"] = "berta"
        }
        #expect(code(parties.verify(both)) == .userMismatch)
    }

    @Test("Embedded assertion of another person's key: a wrong credential")
    func otherKey() throws {
        let refusal = parties.verify(try parties.assertionLogin(key: parties.stranger))
        #expect(code(refusal) == .userKeyUnknown)
        #expect(PlatformSSORefusal.Code.userKeyUnknown.status == 401)
    }

    @Test("Embedded assertion that names a registered key and is signed by another")
    func forgedSignature() throws {
        let name = KeyIdentifier(parties.userKey.publicKey).description
        let message = try parties.assertionLogin(
            key: parties.stranger, header: { $0["kid"] = .string(name) })
        #expect(code(parties.verify(message)) == .userSignatureInvalid)
    }

    @Test("Embedded assertion signed by the device key in the person's place")
    func deviceKey() throws {
        let message = try parties.assertionLogin(key: parties.deviceSigning)
        #expect(code(parties.verify(message)) == .userKeyUnknown)
    }

    @Test("Scope that differs inside and outside")
    func scope() throws {
        let message = try parties.assertionLogin {
            $0["scope"] = "openid offline_access urn:apple:platformsso admin"
        }
        #expect(code(parties.verify(message)) == .scopeMismatch)
    }

    @Test("Nonces that differ inside and outside; the server's may not be left out")
    func nonces() throws {
        let own = try parties.assertionLogin {
            $0["nonce"] = "E0DA0950-3EC4-486E-9C70-A9B4D28CB39E"
        }
        #expect(code(parties.verify(own)) == .nonceMismatch)
        let server = try parties.assertionLogin { $0["request_nonce"] = "another" }
        #expect(code(parties.verify(server)) == .serverNonceMismatch)
        let none = try parties.assertionLogin { $0["request_nonce"] = nil }
        #expect(code(parties.verify(none)) == .claimMissing)
    }

    @Test("An assertion for another audience, expired, from the future, without times")
    func audienceAndTimes() throws {
        let seconds = TestParties.now.seconds
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("aud", "https://id.example.com/platform-sso/token", .audienceMismatch),
            ("aud", nil, .claimMissing), ("exp", .integer(seconds - 61), .expired),
            ("iat", .integer(seconds + 61), .issuedInFuture), ("exp", nil, .claimMissing),
            ("iat", nil, .claimMissing), ("exp", .integer(seconds + 700), .lifetimeTooLong),
        ]
        for (name, value, expected) in changes {
            let message = try parties.assertionLogin { $0[name] = value }
            #expect(code(parties.verify(message)) == expected)
        }
    }

    @Test("Algorithm none and HS256 with the public key, inside")
    func algorithms() throws {
        let context = parties.context()
        let draft = try context.assertion(key: parties.userKey.publicKey)
        let unsigned = parties.altered(draft, { $0["alg"] = "none" }, { _ in })
        let none = try parties.login(
            .signedAssertion(unsigned.compact(signature: [])), context: context)
        #expect(code(parties.verify(none)) == .algorithmNotAllowed)
        let forged = parties.altered(draft, { $0["alg"] = "HS256" }, { _ in })
        let point = try #require(parties.userKey.publicKey.x963)
        let shared = try SymmetricJWK(Secret(point), parameters: KeyParameters())
        let assertion = try forged.signed(by: JOSESigner(shared, algorithm: .hs256))
        let message = try parties.login(.signedAssertion(assertion), context: context)
        #expect(code(parties.verify(message)) == .algorithmNotAllowed)
    }

    @Test("Another type inside: a login request, an ID token")
    func types() throws {
        for type in ["platformsso-login-request+jwt", "JWT", "at+jwt"] {
            let message = try parties.assertionLogin(header: { $0["typ"] = .string(type) })
            #expect(code(parties.verify(message)) == .typeMismatch)
        }
    }

    @Test(
        "What is no assertion",
        arguments: ["a", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "....", "..", "a.b.c.d.e.f"])
    func malformed(_ text: String) throws {
        let message = try parties.login(.signedAssertion(Array(text.utf8)))
        #expect(code(parties.verify(message)) == .assertionMalformed)
    }

    // MARK: Encrypted

    /// A login whose encrypted assertion holds these claims.
    private func encryptedLogin(
        to key: PrivateJWK? = nil, type: MessageType = .encryptedLoginAssertion,
        _ change: (inout JSONObject) -> Void
    ) throws -> [UInt8] {
        let context = parties.context()
        let draft = try context.assertion(key: parties.userKey.publicKey)
        var claims = draft.claims
        claims["password"] = "correct horse"
        change(&claims)
        let recipient = (key ?? parties.providerEncryption).publicKey
        let sealed = try ResponseEncryption(recipient: recipient, apv: [0, 0, 0, 0]).seal(
            claims.bytes, type: type, random: parties.random)
        return try parties.login(.signedAssertion(sealed), context: context)
    }

    @Test("An encrypted assertion is held to the same: user, scope, nonces, audience, times")
    func encryptedClaims() throws {
        #expect(code(parties.verify(try encryptedLogin { _ in })) == nil)
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("sub", "berta", .userMismatch), ("scope", "openid", .scopeMismatch),
            ("nonce", "other", .nonceMismatch), ("request_nonce", "other", .serverNonceMismatch),
            ("aud", "other", .audienceMismatch), ("password", nil, .claimMissing),
            ("password", 1, .claimMalformed), ("password", "", .wrongCredential),
            ("exp", .integer(1), .expired),
        ]
        for (name, value, expected) in changes {
            #expect(code(parties.verify(try encryptedLogin { $0[name] = value })) == expected)
        }
    }

    @Test("An assertion encrypted to another key, to the device, or to an unavailable key")
    func encryptedElsewhere() throws {
        for key in [parties.stranger, parties.deviceEncryption] {
            let message = try encryptedLogin(to: key) { _ in }
            #expect(code(parties.verify(message)) == .decryptionFailed)
        }
        let message = try encryptedLogin { _ in }
        #expect(code(parties.verify(message, keys: LoginKeys())) == .keyNotFound)
    }

    @Test("A login response that replaces an encrypted assertion")
    func encryptedType() throws {
        let message = try encryptedLogin(type: .loginResponse) { _ in }
        #expect(code(parties.verify(message)) == .typeMismatch)
    }

    @Test("An encrypted assertion with other algorithms is not even tried")
    func encryptedAlgorithms() throws {
        let key = try PrivateJWK.generate(for: .rs256).with(KeyParameters())
        let encrypter = try JWEEncrypter(
            key: .privateKey(key), algorithm: .rsaOAEP256, encryption: .a256GCM)
        let sealed = try encrypter.encrypt(
            [1], options: .init(type: MessageType.encryptedLoginAssertion.rawValue),
            random: parties.random)
        let message = try parties.login(.signedAssertion(sealed))
        #expect(code(parties.verify(message)) == .algorithmNotAllowed)
    }

    // MARK: Other credentials

    @Test(
        "A callback of another kind, an error, two codes",
        arguments: [
            "https://evil.example/?code=a&state=b", "com.apple.platformsso://callback",
            "com.apple.platformsso://callback?code=&state=b",
            "com.apple.platformsso://callback?code=a",
            "com.apple.platformsso://callback?error=access_denied&state=b",
            "com.apple.platformsso://callback?code=a&code=b&state=c",
            "com.apple.platformsso://callback?code=a&state=b#x",
            "com.apple.platformsso://callback?code=%zz&state=b",
            "com.apple.platformsso://callback/?code=a&state=b",
            "COM.apple.platformsso://callback?code=a&state=b",
        ])
    func callbacks(_ url: String) throws {
        let good = try WebLoginCallback(WebLoginCallback.url(code: "a", state: "b"))
        let message = try parties.login(.webLogin(good)) { $0["subject_token"] = .string(url) }
        #expect(code(parties.verify(message)) == .callbackMalformed)
    }

    @Test("A token of another type to exchange; a SAML assertion that is no base64")
    func otherTokens() throws {
        let good = try WebLoginCallback(WebLoginCallback.url(code: "a", state: "b"))
        let message = try parties.login(.webLogin(good)) {
            $0["subject_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
        }
        #expect(code(parties.verify(message)) == .grantUnsupported)
        let saml = try parties.login(.saml(.v2, assertion: [1])) { $0["assertion"] = "<xml/>" }
        #expect(code(parties.verify(saml)) == .assertionMalformed)
    }
}
