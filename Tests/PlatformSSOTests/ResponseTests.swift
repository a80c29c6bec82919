// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@Suite("Encrypted answers")
struct ResponseTests {
    private let parties = TestParties()

    /// A login and the answer to it.
    private func exchange() throws -> (context: LoginRequestContext, sealed: [UInt8]) {
        let context = parties.context()
        let request = try parties.verify(parties.login(context: context)).get()
        let response = parties.loginResponse(try parties.idToken(nonce: request.facts.nonce))
        return (
            context, try response.sealed(for: request.facts.response, random: parties.random)
        )
    }

    @Test("From request to answer, and open again")
    func roundTrip() throws {
        let (context, bytes) = try exchange()
        let sealed = try SealedResponse(compact: bytes)
        #expect(sealed.header.type == "platformsso-login-response+jwt")
        #expect(sealed.statedAPV == context.apv)
        #expect(sealed.header.members["zip"] == nil)
        let opened = try sealed.open(with: parties.deviceEncryption, apv: context.apv)
        let response = try LoginResponse(opened)
        #expect(response.refreshToken == Secret("refresh-1"))
        #expect(response.refreshLifetime == .hours(8))
        #expect(response.tokenType == "Bearer")
        // A key in hardware gives the shared secret alone.
        let secret = try KeyAgreement.sharedSecret(parties.deviceEncryption, sealed.ephemeralKey)
        #expect(try sealed.open(sharedSecret: secret, apv: context.apv) == opened)
    }

    @Test("Any JOSE library opens it by what the header says")
    func plainJOSE() throws {
        let (_, bytes) = try exchange()
        let decrypter = JWEDecrypter(
            key: .privateKey(parties.deviceEncryption), algorithms: [.ecdhES],
            encryptions: [.a256GCM])
        #expect(throws: Never.self) { try decrypter.decrypt(UnverifiedJWE(compact: bytes)) }
    }

    @Test("Wrong apv: an answer to another request cannot be opened, whatever its header says")
    func wrongAPV() throws {
        let (_, bytes) = try exchange()
        let sealed = try SealedResponse(compact: bytes)
        let other = parties.context().apv
        #expect(
            code { _ = try sealed.open(with: parties.deviceEncryption, apv: other) }
                == .decryptionFailed)
        #expect(
            code { _ = try sealed.open(with: parties.deviceEncryption, apv: []) }
                == .decryptionFailed)
    }

    @Test("Another device cannot open it; a secret of the wrong length is no secret")
    func wrongKey() throws {
        let (context, bytes) = try exchange()
        let sealed = try SealedResponse(compact: bytes)
        #expect(
            code { _ = try sealed.open(with: parties.stranger, apv: context.apv) }
                == .decryptionFailed)
        for count in [0, 31, 33] {
            let secret = [UInt8](repeating: 1, count: count)
            #expect(
                code { _ = try sealed.open(sharedSecret: secret, apv: context.apv) }
                    == .decryptionFailed)
        }
    }

    @Test("apu of another key, with another label, or none")
    func wrongAPU() throws {
        let key = try KeyAgreement.ephemeral(
            for: parties.deviceEncryption.publicKey, random: parties.random)
        let encrypter = try JWEEncrypter(
            key: .publicKey(parties.deviceEncryption.publicKey), algorithm: .ecdhES,
            encryption: .a256GCM)
        let wrong: [[UInt8]?] = [
            nil, [], PartyInfo.sender(ephemeral: parties.stranger.publicKey).bytes,
            PartyInfo(fields: [PartyInfo.recipientLabel, key.publicKey.x963 ?? []]).bytes,
        ]
        for apu in wrong {
            let options = JWEEncrypter.Options(apu: apu, apv: [], ephemeral: key)
            let bytes = try encrypter.encrypt([1], options: options, random: parties.random)
            #expect(code { _ = try SealedResponse(compact: bytes) } == .apuMismatch)
        }
    }

    @Test("Each changed part of an answer is refused")
    func mutations() throws {
        let (context, bytes) = try exchange()
        for index in stride(from: 1, to: bytes.count, by: 7) {
            var mutant = bytes
            mutant[index] =
                mutant[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let refusal = code {
                _ = try SealedResponse(compact: mutant).open(
                    with: parties.deviceEncryption, apv: context.apv)
            }
            #expect(refusal != nil)
        }
    }

    @Test("Compression, other algorithms and keys on other curves are refused")
    func otherHeaders() throws {
        let (_, bytes) = try exchange()
        let dot = try #require(bytes.firstIndex(of: UInt8(ascii: ".")))
        let header = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: bytes[..<dot])), maximumBytes: 4096)
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("zip", "DEF", .algorithmNotAllowed), ("alg", "RSA-OAEP", .algorithmNotAllowed),
            ("enc", "A128GCM", .algorithmNotAllowed), ("enc", "XC20P", .algorithmNotAllowed),
            ("epk", nil, .ephemeralKeyMalformed), ("epk", "key", .ephemeralKeyMalformed),
            ("epk", try PrivateJWK.generate(for: .es384).publicKey.json, .ephemeralKeyMalformed),
            ("apu", 1, .apuMismatch), ("alg", nil, .malformed),
        ]
        for (name, value, expected) in changes {
            var changed = header
            changed[name] = value
            let message = Base64URL.encodeBytes(changed.bytes) + bytes[dot...]
            #expect(code { _ = try SealedResponse(compact: message) } == expected)
        }
    }

    @Test("Answers are sealed to keys on P-256 only")
    func otherCurve() throws {
        let key = try PrivateJWK.generate(for: .es384).publicKey
        let response = ResponseEncryption(recipient: key, apv: [])
        #expect(throws: JOSEError(.keyMismatch, "")) {
            try response.seal([], type: .loginResponse, random: parties.random)
        }
    }

    @Test("Every response has a specific key and initialization vector")
    func fresh() throws {
        let response = ResponseEncryption(recipient: parties.stranger.publicKey, apv: [])
        let first = try response.seal([1], type: .keyResponse, random: parties.random)
        let second = try response.seal([1], type: .keyResponse, random: parties.random)
        #expect(
            try SealedResponse(compact: first).ephemeralKey
                != SealedResponse(compact: second).ephemeralKey)
    }

    // MARK: The content of key answers

    @Test("Answers of the key service, both kinds")
    func keyResponses() throws {
        let context = parties.context()
        let draft = try context.key(.provision, refreshToken: Secret("r"))
        let request = try parties.verifyKey(parties.sign(draft)).get()
        let contents: [KeyResponse.Content] = [
            .certificate([0x30, 0x01, 0x00]), .key(Secret([UInt8](repeating: 7, count: 32))),
        ]
        for content in contents {
            let response = KeyResponse(content, keyContext: "sealed", now: TestParties.now)
            let bytes = try response.sealed(for: request.facts.response, random: parties.random)
            let sealed = try SealedResponse(compact: bytes)
            #expect(sealed.header.type == "platformsso-key-response+jwt")
            let opened = try sealed.open(with: parties.deviceEncryption, apv: context.apv)
            #expect(try KeyResponse(opened, now: TestParties.now) == response)
        }
    }

    @Test("Answers of the key service that a device refuses")
    func keyResponsesRefused() throws {
        let key = JSONValue.string(Base64URL.encode([UInt8](repeating: 7, count: 32)))
        let seconds = TestParties.now.seconds
        let inTime: [JSONObject.Member] = [
            .init(name: "iat", value: .integer(seconds)),
            .init(name: "exp", value: .integer(seconds + 300)),
        ]
        let wrong: [(JSONObject, PlatformSSORefusal.Code)] = [
            (JSONObject(inTime), .claimMissing),
            (JSONObject([.init(name: "key", value: key)]), .claimMissing),
            (JSONObject(inTime + [.init(name: "key", value: "AAAA")]), .claimMalformed),
            (JSONObject(inTime + [.init(name: "certificate", value: "AAAA")]), .claimMalformed),
            (
                JSONObject(
                    inTime + [
                        .init(name: "key", value: key), .init(name: "certificate", value: "MAA"),
                    ]), .claimMalformed
            ),
        ]
        for (members, expected) in wrong {
            #expect(code { _ = try KeyResponse(members, now: TestParties.now) } == expected)
        }
        let good = JSONObject(inTime + [.init(name: "key", value: key)])
        let late = TestParties.now + .minutes(7)
        #expect(code { _ = try KeyResponse(good, now: late) } == .expired)
        let early = TestParties.now - .minutes(2)
        #expect(code { _ = try KeyResponse(good, now: early) } == .issuedInFuture)
    }

    // MARK: The content of login answers

    @Test("What a login answer must hold, and what is kept of the rest")
    func contents() throws {
        var response = parties.loginResponse("a.b.c")
        response.more["session_key"] = "kept"
        response.more["id_token"] = "not this one"
        let json = try JSONParser.parseObject(response.json, maximumBytes: 4096)
        #expect(json["id_token"] == "a.b.c" && json["token_type"] == "Bearer")
        #expect(json["refresh_token_expires_in"] == 28_800)
        #expect(try LoginResponse(json).more["session_key"] == "kept")
        for name in ["id_token", "refresh_token"] {
            var without = json
            without[name] = nil
            #expect(code { _ = try LoginResponse(without) } == .claimMissing)
        }
        var one = json
        one["refresh_token_expires_in"] = nil
        one["expires_in"] = "3600"
        #expect(try LoginResponse(one).refreshLifetime == .hours(1))
        one["expires_in"] = nil
        #expect(code { _ = try LoginResponse(one) } == .claimMissing)
        one["expires_in"] = -1
        #expect(code { _ = try LoginResponse(one) } == .claimMalformed)
    }
}
