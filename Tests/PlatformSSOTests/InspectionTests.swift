// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Testing

@Suite("inspect platform-sso")
struct InspectionTests {
    private let parties = TestParties()

    private func inspect(
        _ message: [UInt8], _ keys: [JSONWebKey]? = nil, nonce: String? = nil,
        now: Timestamp = TestParties.now
    ) -> MessageInspection {
        let device: [JSONWebKey] = [
            .publicKey(parties.deviceSigning.publicKey),
            .publicKey(parties.deviceEncryption.publicKey),
        ]
        return MessageInspection(
            of: String(decoding: message, as: UTF8.self), keys: keys ?? device, nonce: nonce,
            now: now)
    }

    private func outcome(
        _ inspection: MessageInspection, _ name: VerificationCheck.Name,
        _ part: VerificationCheck.Part = .message
    ) -> VerificationCheck.Outcome? {
        inspection.checks.first { $0.name == name && $0.part == part }?.outcome
    }

    @Test("A good login: what it says, every check, and no password")
    func login() throws {
        let inspection = inspect(try parties.login())
        #expect(inspection.refusal == nil && inspection.kind == .loginRequest)
        #expect(outcome(inspection, .signature) == .passed)
        #expect(outcome(inspection, .partyKey) == .passed)
        #expect(outcome(inspection, .client) == .notChecked)
        #expect(outcome(inspection, .audience) == .notChecked)
        let json = inspection.json
        #expect(json["type"] == "login_request")
        #expect(json["header"]?["typ"] == "platformsso-login-request+jwt")
        #expect(json["claims"]?["username"] == "anna")
        #expect(json["claims"]?["password"] == "[redacted]")
        #expect(!json.text.contains("correct horse"))
        let checks = try #require(json["checks"]?.array)
        #expect(checks.count >= 14)
        #expect(checks.allSatisfy { $0.object?.names == ["part", "check", "outcome", "detail"] })
    }

    private func form(_ fields: [FormField]) -> [UInt8] {
        Array(FormEncoding.encode(fields.map { ($0.name, $0.value) }).utf8)
    }

    @Test("A message in the form that it was posted in, with space around")
    func posted() throws {
        let fields = RequestForm.fields(.v1, message: try parties.login())
        let inspection = inspect(Array("\n".utf8) + form(fields) + Array("\r\n".utf8))
        #expect(inspection.refusal == nil && inspection.kind == .loginRequest)
        #expect(outcome(inspection, .content, .form) == .passed)
        #expect(outcome(inspection, .signature) == .passed)
        #expect(inspection.json["form"]?["platform_sso_version"] == "1.0")
        #expect(inspection.json["form"]?["assertion"] == nil)
    }

    @Test("A wrong form is refused, and the message in it is explained all the same")
    func wrongForm() throws {
        var fields = RequestForm.fields(.v1, message: try parties.login())
        fields[0] = FormField("platform_sso_version", "3.0")
        let version = inspect(form(fields))
        #expect(version.refusal?.code == .versionUnsupported && version.kind == .loginRequest)
        #expect(outcome(version, .content, .form) == .failed)
        #expect(outcome(version, .signature) == .passed)
        fields[0] = FormField("platform_sso_version", "1.0")
        let twice = inspect(form(fields + [fields[0]]))
        #expect(twice.refusal?.code == .formMalformed && twice.kind == .loginRequest)
        let draft = try parties.context().key(.provision, refreshToken: Secret("r"))
        let key = inspect(form(RequestForm.fields(.v1, message: try parties.sign(draft))))
        #expect(key.refusal?.code == .versionUnsupported && key.kind == .keyRequest)
        #expect(outcome(key, .version, .form) == .failed && outcome(key, .version) == .passed)
        let right = inspect(form(RequestForm.fields(.v2, message: try parties.sign(draft))))
        #expect(right.refusal == nil && outcome(right, .version, .form) == .passed)
    }

    @Test("What is neither signed nor encrypted: nonces, and the ends of a web login")
    func plain() {
        func kind(_ text: String) -> MessageInspection.Kind? {
            let inspection = inspect(Array(text.utf8))
            return inspection.refusal == nil ? inspection.kind : nil
        }
        #expect(kind("grant_type=srv_challenge&tenant=a") == .nonceRequest)
        #expect(kind(#"{"Nonce":"AwABAAAA"}"#) == .nonceResponse)
        let start = #"{"authorizationURL":"https://idp.example.com/?state=s&nonce=n"}"#
        #expect(kind(start) == .webLoginStart)
        let ends = [WebLoginCallback.address, "http://127.0.0.1:5000/callback"]
        for end in ends {
            let inspection = inspect(Array("\(end)?code=secret-code&state=s".utf8))
            #expect(inspection.refusal == nil && inspection.kind == .webLoginCallback)
            #expect(inspection.message.claims?["state"] == "s")
            #expect(!inspection.json.text.contains("secret-code"))
        }
        for (text, code) in [
            ("grant_type=password", PlatformSSORefusal.Code.grantUnsupported),
            (#"{"nonce":"AwAB"}"#, .claimMissing), (#"{"Nonce":""}"#, .claimMissing),
            (#"{"authorizationURL":"http://x.example/?state=s"}"#, .redirectMismatch),
            (#"{"authorizationURL":"https://x.example/"}"#, .claimMissing),
            ("\(ends[0])?state=s", .callbackMalformed), ("\(ends[0])x?code=c", .callbackMalformed),
            ("http://x.example/callback?code=c&state=s", .callbackMalformed), ("{", .malformed),
            ("a=b&c=d", .malformed), (" ", .malformed),
        ] { #expect(inspect(Array(text.utf8)).refusal?.code == code, "\(text)") }
    }

    @Test("A bad login: everything that is wrong, not only the first")
    func badLogin() throws {
        let message = try parties.login(key: parties.stranger) {
            $0["exp"] = .integer(TestParties.now.seconds - 600)
            $0["sub"] = "berta"
            $0["scope"] = "profile"
        }
        let inspection = inspect(message)
        #expect(inspection.refusal?.code == .signatureInvalid)
        for name: VerificationCheck.Name in [.signature, .expiry, .user, .scope] {
            #expect(outcome(inspection, name) == .failed)
        }
        for name: VerificationCheck.Name in [.nonce, .partyKey, .partyNonce, .password, .keyID] {
            #expect(outcome(inspection, name) == .passed)
        }
    }

    @Test("Without the device's key nothing is accepted")
    func noKeys() throws {
        let inspection = inspect(try parties.login(), [])
        #expect(inspection.refusal?.code == .keyNotFound)
        #expect(outcome(inspection, .partyKey) == .notChecked)
        #expect(inspection.json["claims"]?["username"] == "anna")
    }

    @Test("The response's key is compared with those that are given in addition to the signing key")
    func wrongAnswerKey() throws {
        let signing = JSONWebKey.publicKey(parties.deviceSigning.publicKey)
        let message = try parties.login()
        let wrong = inspect(message, [signing, .publicKey(parties.stranger.publicKey)])
        #expect(wrong.refusal?.code == .apvKeyMismatch)
        let alone = inspect(message, [signing])
        #expect(alone.refusal == nil && outcome(alone, .partyKey) == .notChecked)
    }

    @Test("A login with an assertion shows both parts")
    func assertion() throws {
        let keys = [parties.deviceSigning, parties.deviceEncryption, parties.userKey].map {
            JSONWebKey.publicKey($0.publicKey)
        }
        let good = inspect(try parties.assertionLogin(), keys)
        #expect(good.refusal == nil)
        #expect(outcome(good, .signature, .assertion) == .passed)
        #expect(good.json["assertion"]?["claims"]?["sub"] == "anna")
        let bad = inspect(try parties.assertionLogin { $0["sub"] = "berta" }, keys)
        #expect(bad.refusal?.code == .userMismatch)
        #expect(outcome(bad, .user, .assertion) == .failed)
        #expect(outcome(bad, .user) == .passed)
    }

    @Test("An encrypted password is opened with the provider's key, and not shown")
    func encryptedPassword() throws {
        var configuration = parties.configuration
        configuration.loginRequestEncryptionPublicKey = parties.providerEncryption.publicKey
        let message = try parties.login(context: parties.context(configuration))
        let device = [
            JSONWebKey.publicKey(parties.deviceSigning.publicKey),
            .publicKey(parties.deviceEncryption.publicKey),
        ]
        let open = inspect(message, device + [.privateKey(parties.providerEncryption)])
        #expect(open.refusal == nil)
        #expect(open.json["assertion"]?["claims"]?["password"] == "[redacted]")
        #expect(!open.json.text.contains("correct horse"))
        let shut = inspect(message, device)
        #expect(shut.refusal?.code == .keyNotFound)
        #expect(outcome(shut, .decryption, .assertion) == .failed)
    }

    @Test("Refresh, key request, key exchange, authorization request, by their names")
    func otherRequests() throws {
        let other = TestParties.pair(9).publicKey
        let start = try WebLoginStart(
            authorizationURL: "https://a/?state=S",
            request: JSONObject([
                .init(name: "client_id", value: "c"), .init(name: "state", value: "S"),
                .init(name: "nonce", value: "N"), .init(name: "response_type", value: "code"),
            ]))
        let context = parties.context()
        let drafts: [(RequestDraft, MessageInspection.Kind)] = [
            (try context.refresh(Secret("r")), .refreshRequest),
            (try context.key(.provision, refreshToken: Secret("r")), .keyRequest),
            (
                try context.key(
                    .exchange(otherPublicKey: other, context: nil), refreshToken: Secret("r")),
                .keyExchange
            ),
            (try #require(try context.authorization(start)), .authorizationRequest),
            (try context.assertion(key: parties.deviceSigning.publicKey), .loginAssertion),
        ]
        for (draft, kind) in drafts {
            let inspection = inspect(try parties.sign(draft))
            #expect(inspection.refusal == nil)
            #expect(inspection.kind == kind)
        }
    }

    private func response(_ token: String, _ context: LoginRequestContext) throws -> [UInt8] {
        let encryption = ResponseEncryption(
            recipient: parties.deviceEncryption.publicKey, apv: context.apv)
        return try parties.loginResponse(token).sealed(for: encryption, random: parties.random)
    }

    @Test("A login response is decrypted, and its ID token verified by the nonce in apv")
    func loginResponse() throws {
        let context = parties.context()
        let keys: [JSONWebKey] = [
            .privateKey(parties.deviceEncryption),
            .publicKey(
                try parties.providerSigning.publicKey.with(KeyParameters(keyID: "id-1"))),
        ]
        let good = try parties.idToken(nonce: context.nonce)
        let inspection = inspect(try response(good, context), keys)
        #expect(inspection.refusal == nil && inspection.kind == .loginResponse)
        #expect(outcome(inspection, .nonce, .idToken) == .passed)
        #expect(inspection.json["id_token"]?["claims"]?["sub"] == "anna")
        let other = try parties.idToken(nonce: "other")
        #expect(inspect(try response(other, context), keys).refusal?.code == .nonceMismatch)
        let sealed = inspect(try response(good, context), [])
        #expect(sealed.kind == .sealed && sealed.refusal?.code == .keyNotFound)
        #expect(sealed.json["header"]?["alg"] == "ECDH-ES")
    }

    @Test("An ID token inside of an answer, when the provider's key is not given, or another")
    func withoutProviderKey() throws {
        let context = parties.context()
        let message = try response(try parties.idToken(nonce: context.nonce), context)
        let device = [
            JSONWebKey.privateKey(parties.deviceSigning), .privateKey(parties.deviceEncryption),
        ]
        let without = inspect(message, device)
        #expect(without.refusal == nil)
        #expect(outcome(without, .signature, .idToken) == .notChecked)
        let other = inspect(message, device + [.publicKey(parties.stranger.publicKey)])
        #expect(other.refusal?.code == .signatureInvalid)
        let nameless = [parties.stranger, parties.providerSigning].map {
            JSONWebKey.publicKey($0.publicKey)
        }
        #expect(inspect(message, device + nameless).refusal == nil)
        let renamed = try parties.providerSigning.publicKey.with(KeyParameters(keyID: "id-2"))
        #expect(inspect(message, device + [.publicKey(renamed)]).refusal?.code == .keyNotFound)
    }

    @Test("A response without apv in its header needs the request's nonce")
    func withoutAPV() throws {
        let context = parties.context()
        let ephemeral = try KeyAgreement.ephemeral(
            for: parties.deviceEncryption.publicKey, random: parties.random)
        let secret = try KeyAgreement.sharedSecret(ephemeral, parties.deviceEncryption.publicKey)
        let apu = PartyInfo.sender(ephemeral: ephemeral.publicKey).bytes
        let key = try #require(
            ContentKey.derive(sharedSecret: secret, apu: apu, apv: context.apv))
        // Direct encryption under the agreed key has no apv to write; the header is made by hand.
        let message = try HandMadeJWE.seal(
            KeyResponse(.certificate([0x30, 0]), keyContext: nil, now: TestParties.now).json,
            epk: ephemeral.publicKey, apu: apu, key: key)
        let keys = [JSONWebKey.privateKey(parties.deviceEncryption)]
        #expect(inspect(message, keys).refusal?.code == .apvMalformed)
        let opened = inspect(message, keys, nonce: context.nonce)
        #expect(opened.refusal == nil && opened.kind == .keyResponse)
        #expect(inspect(message, keys, nonce: "x").refusal?.code == .decryptionFailed)
    }

    @Test("An ID token alone, and its times")
    func idToken() throws {
        let token = Array(try parties.idToken(nonce: "n").utf8)
        let keys = [JSONWebKey.publicKey(parties.providerSigning.publicKey)]
        let inspection = inspect(token, keys)
        #expect(inspection.refusal == nil && inspection.kind == .idToken)
        #expect(outcome(inspection, .nonce, .idToken) == .notChecked)
        let late = inspect(token, keys, now: TestParties.now + .hours(1))
        #expect(late.refusal?.code == .expired)
    }

    @Test(
        "What is no message gets a code and never a trap",
        arguments: ["", ".", "..", "....", "a.b.c", "a.b.c.d.e", "e30.e30.", "e30....", "é.ü.ö"])
    func noMessage(_ text: String) {
        let inspection = inspect(Array(text.utf8))
        #expect(inspection.refusal != nil)
        #expect(inspection.json["type"] != nil)
    }

    @Test("HPKE is named as the reason")
    func hpke() {
        let header = Base64URL.encode(
            Array(#"{"alg":"HPKE-P256-SHA256-A256GCM","enc":"dir"}"#.utf8))
        #expect(inspect(Array("\(header).AAAA..AAAA.".utf8)).refusal?.code == .hpkeNotOffered)
    }
}
