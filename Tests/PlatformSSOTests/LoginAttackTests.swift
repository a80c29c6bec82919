// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

/// The attacks on messages that the project's list of them names, each with its refusal.
@Suite("Attacks on login requests")
struct LoginAttackTests {
    private let parties = TestParties()

    // MARK: Signature and algorithm

    @Test("Swapped device key: a request of another device, signed by that one")
    func swappedDeviceKey() throws {
        let message = try parties.login(key: parties.stranger)
        #expect(code(parties.verify(message)) == .signatureInvalid)
    }

    @Test("Swapped device key: the record that kid leads to holds another key")
    func wrongRecord() throws {
        let device = DeviceKeys(
            signing: parties.stranger.publicKey,
            encryption: [parties.deviceEncryption.publicKey])
        #expect(code(parties.verify(try parties.login(), device: device)) == .keyIDMismatch)
    }

    @Test("Key-id collision: another device's kid over one's own signature")
    func keyIDCollision() throws {
        let victim = KeyIdentifier(parties.stranger.publicKey).description
        let message = try parties.login(header: { $0["kid"] = .string(victim) })
        #expect(code(parties.verify(message)) == .keyIDMismatch)
    }

    @Test(
        "Algorithm none, in every spelling, signed or not",
        arguments: ["none", "None", "NONE", "nOnE", ""])
    func algorithmNone(_ algorithm: String) throws {
        let draft = try parties.context().login(.password(Secret("x")), random: parties.random)
        let forged = parties.altered(draft, { $0["alg"] = .string(algorithm) }, { _ in })
        let signed = try sign(
            header: JSONValue.object(forged.header).text,
            claims: JSONValue.object(forged.claims).text, parties.deviceSigning)
        #expect(code(parties.verify(signed)) == .algorithmNotAllowed)
        let dot = try #require(signed.lastIndex(of: UInt8(ascii: ".")))
        #expect(code(parties.verify(Array(signed[...dot]))) == .algorithmNotAllowed)
    }

    @Test("HS256 keyed with the device's public key")
    func publicKeyAsSecret() throws {
        let point = try #require(parties.deviceSigning.publicKey.x963)
        let jwk = Array(parties.deviceSigning.publicKey.json.bytes)
        for secret in [point, jwk] {
            let draft = try parties.context().login(.password(Secret("x")), random: parties.random)
            let forged = parties.altered(draft, { $0["alg"] = "HS256" }, { _ in })
            let shared = try SymmetricJWK(Secret(secret), parameters: KeyParameters())
            let message = try forged.signed(by: JOSESigner(shared, algorithm: .hs256))
            #expect(code(parties.verify(message)) == .algorithmNotAllowed)
        }
    }

    @Test("Unsigned: no signature, no third part, zeros in its place")
    func unsigned() throws {
        let message = try parties.login()
        let dot = try #require(message.lastIndex(of: UInt8(ascii: ".")))
        let zeros = Base64URL.encodeBytes([UInt8](repeating: 0, count: 64))
        #expect(code(parties.verify(Array(message[...dot]))) == .signatureInvalid)
        #expect(code(parties.verify(Array(message[..<dot]))) == .malformed)
        #expect(code(parties.verify(message[...dot] + zeros)) == .signatureInvalid)
    }

    @Test("A key that the message brings along is not used")
    func ownKey() throws {
        let message = try parties.login(
            key: parties.stranger, header: { $0["jwk"] = parties.stranger.publicKey.json })
        #expect(code(parties.verify(message)) == .signatureInvalid)
    }

    @Test("Any changed byte of a login is refused")
    func mutations() throws {
        let message = try parties.login()
        for index in stride(from: 0, to: message.count, by: 3) {
            var mutant = message
            mutant[index] =
                mutant[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(code(parties.verify(mutant)) != nil)
        }
    }

    @Test("Oversized: by one byte, by a megabyte, and in parts that are within the limit")
    func oversized() throws {
        let padding = String(repeating: "x", count: 70_000)
        let message = try parties.login { $0["padding"] = .string(padding) }
        #expect(code(parties.verify(message)) == .tooLarge)
        let megabyte = [UInt8](repeating: UInt8(ascii: "A"), count: 1_048_576)
        #expect(code(parties.verify(megabyte)) == .tooLarge)
        let name = try parties.login {
            $0["username"] = .string(String(repeating: "a", count: 600))
        }
        #expect(code(parties.verify(name)) == .claimMalformed)
        let groups = try parties.login {
            $0["claims"] = [
                "id_token": [
                    "groups": ["values": .array((0..<400).map { .string("g\($0)") })]
                ]
            ]
        }
        #expect(code(parties.verify(groups)) == .groupsMalformed)
    }

    // MARK: Times

    @Test("Expired, by more than clocks may differ")
    func expired() throws {
        let message = try parties.login()
        let end = TestParties.now + .minutes(5)
        #expect(code(parties.verify(message, now: end + .seconds(59))) == nil)
        #expect(code(parties.verify(message, now: end + .seconds(60))) == .expired)
        #expect(code(parties.verify(message, now: end + .days(900))) == .expired)
    }

    @Test("From the future, by more than clocks may differ")
    func future() throws {
        let message = try parties.login()
        #expect(code(parties.verify(message, now: TestParties.now - .seconds(60))) == nil)
        #expect(
            code(parties.verify(message, now: TestParties.now - .seconds(61))) == .issuedInFuture)
        let later = try parties.login { $0["nbf"] = .integer(TestParties.now.seconds + 120) }
        #expect(code(parties.verify(later)) == .notYetValid)
    }

    @Test("A request that would live for hours, or forever")
    func longLived() throws {
        for span in [601, 86_400, 100_000_000_000] as [Int64] {
            let message = try parties.login {
                $0["exp"] = .integer(TestParties.now.seconds + span)
            }
            #expect(code(parties.verify(message)) == .lifetimeTooLong)
        }
    }

    // MARK: Parties

    @Test("Another client, issuer, audience; an audience among others")
    func otherParties() throws {
        let changes: [(String, JSONValue, PlatformSSORefusal.Code)] = [
            ("client_id", "other", .clientMismatch), ("iss", "other", .issuerMismatch),
            ("iss", 1, .claimMalformed), ("aud", "https://evil.example/token", .audienceMismatch),
            ("aud", "https://id.example.com/platform-sso/token/", .audienceMismatch),
            ("aud", [], .claimMalformed), ("aud", .null, .claimMalformed),
            (
                "aud", ["https://id.example.com/platform-sso/token", "https://evil.example"],
                .claimMissing
            ),
        ]
        for (name, value, expected) in changes {
            #expect(code(parties.verify(try parties.login { $0[name] = value })) == expected)
        }
    }

    @Test("An empty password is a wrong one; no text or far too much of it is malformed")
    func emptyPassword() throws {
        let empty = try parties.login { $0["password"] = "" }
        #expect(code(parties.verify(empty)) == .wrongCredential)
        #expect(PlatformSSORefusal.Code.wrongCredential.status == 401)
        for value: JSONValue in [.null, [], 1, .string(String(repeating: "x", count: 20_000))] {
            let message = try parties.login { $0["password"] = value }
            #expect(code(parties.verify(message)) == .claimMalformed)
        }
    }

    @Test("One user in sub and another in username")
    func twoUsers() throws {
        let message = try parties.login { $0["sub"] = "berta" }
        #expect(code(parties.verify(message)) == .userMismatch)
    }

    @Test(
        "A user name with control characters, empty, or no text",
        arguments: ["", "anna\u{0}", "an\nna", "\u{7F}"])
    func userNames(_ name: String) throws {
        let message = try parties.login {
            $0["sub"] = .string(name)
            $0["username"] = .string(name)
        }
        #expect(code(parties.verify(message)) == .claimMalformed)
    }

    // MARK: The answer's key

    @Test("Wrong apv: the key of another device, so that the answer would go there")
    func answerForAnother() throws {
        let context = parties.context()
        let party = PartyInfo.recipient(
            deviceEncryption: parties.stranger.publicKey, nonce: context.nonce)
        let message = try parties.login(context: context) {
            $0["jwe_crypto"] = Self.wish(party.bytes)
        }
        #expect(code(parties.verify(message)) == .apvKeyMismatch)
    }

    @Test("Wrong apv: another request's nonce")
    func otherNonce() throws {
        let apv = parties.context().apv
        let message = try parties.login { $0["jwe_crypto"] = Self.wish(apv) }
        #expect(code(parties.verify(message)) == .apvNonceMismatch)
    }

    @Test("Wrong apv: the labels of the other fields, and none")
    func labels() throws {
        for label in ["APPLE", "apple", "APPLEEMBEDDED", ""] {
            let context = parties.context()
            var fields = PartyInfo(bytes: context.apv)?.fields ?? []
            fields[0] = Array(label.utf8)
            let message = try parties.login(context: context) {
                $0["jwe_crypto"] = Self.wish(PartyInfo(fields: fields).bytes)
            }
            #expect(code(parties.verify(message)) == .apvMalformed)
        }
    }

    @Test("Wrong apv: cut off, extended, empty, no base64, absent")
    func shapes() throws {
        let context = parties.context()
        let wrong: [JSONValue] = [
            Self.wish(Array(context.apv.dropLast())), Self.wish(context.apv + [0]),
            Self.wish(context.apv + [0, 0, 0, 0]), Self.wish([]),
            ["alg": "ECDH-ES", "enc": "A256GCM", "apv": "*"], ["alg": "ECDH-ES", "enc": "A256GCM"],
            ["alg": "ECDH-ES", "enc": "A256GCM", "apv": 1],
        ]
        for wish in wrong {
            let message = try parties.login(context: context) { $0["jwe_crypto"] = wish }
            #expect(code(parties.verify(message)) == .apvMalformed)
        }
    }

    @Test(
        "An answer in another encryption, or in none",
        arguments: [
            ["alg": "RSA-OAEP-256", "enc": "A256GCM"], ["alg": "ECDH-ES", "enc": "A128CBC-HS256"],
            ["alg": "ECDH-ES+A256KW", "enc": "A256GCM"], ["alg": "dir", "enc": "A256GCM"],
            ["alg": "none", "enc": "none"], [:], .null, "ECDH-ES",
        ] as [JSONValue])
    func otherEncryption(_ wish: JSONValue) throws {
        var wish = wish
        if var object = wish.object {
            object["apv"] = .string(Base64URL.encode(parties.context().apv))
            wish = .object(object)
        }
        let message = try parties.login { $0["jwe_crypto"] = wish }
        #expect(code(parties.verify(message)) == .responseEncryptionUnsupported)
    }

    private static func wish(_ apv: [UInt8]) -> JSONValue {
        ["alg": "ECDH-ES", "enc": "A256GCM", "apv": .string(Base64URL.encode(apv))]
    }

    // MARK: Grant, scope, nonces

    @Test(
        "Grants that a login has not",
        arguments: ["refresh_token", "authorization_code", "client_credentials", "PASSWORD", ""])
    func grants(_ grant: String) throws {
        let message = try parties.login { $0["grant_type"] = .string(grant) }
        let expected: PlatformSSORefusal.Code = grant.isEmpty ? .claimMalformed : .grantUnsupported
        #expect(code(parties.verify(message)) == expected)
    }

    @Test("A password with another grant type")
    func smuggledPassword() throws {
        let message = try parties.login {
            $0["grant_type"] = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        }
        #expect(code(parties.verify(message)) == .grantUnsupported)
    }

    @Test("A password in clear text where encryption is demanded")
    func clearPassword() throws {
        let refusal = parties.verify(try parties.login()) { $0.requiresEncryptedPassword = true }
        #expect(code(refusal) == .passwordNotEncrypted)
    }

    @Test("A scope without openid, with two purposes, with characters that scopes must not have")
    func scopes() throws {
        let purposes = "urn:apple:platformsso:auth:login urn:apple:platformsso:auth:unlock"
        for scope in ["offline_access", "openid \(purposes)", "openid \"quoted\"", "OPENID"] {
            let message = try parties.login { $0["scope"] = .string(scope) }
            #expect(code(parties.verify(message)) == .scopeMalformed)
        }
    }

    @Test("Without a nonce of the server, or without a device nonce")
    func nonces() throws {
        for name in ["request_nonce", "nonce", "scope", "grant_type", "password", "client_id"] {
            let message = try parties.login { $0[name] = nil }
            #expect(code(parties.verify(message)) == .claimMissing)
        }
    }

    @Test("What is wrong with a message is never a wrong credential to macOS")
    func statuses() {
        let credentials: Set<PlatformSSORefusal.Code> = [
            .userKeyUnknown, .userSignatureInvalid, .wrongCredential, .refreshTokenRefused,
            .certificateUntrusted, .certificateUnmapped, .certificateRevoked, .codeRefused,
        ]
        for code in PlatformSSORefusal.Code.allCases where code != .certificateStatusUnknown {
            #expect(code.status == (credentials.contains(code) ? 401 : 400))
        }
        #expect(PlatformSSORefusal.Code.certificateStatusUnknown.status == 503)
    }
}
