// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Testing

@Suite("Login requests")
struct LoginRequestTests {
    private let parties = TestParties()

    @Test("A password in clear text, with groups and the token before")
    func password() throws {
        var configuration = parties.configuration
        configuration.includePreviousRefreshTokenInLoginRequest = true
        let context = parties.context(configuration)
        let draft = try context.login(
            .password(Secret("correct horse")), groups: ["staff", "admins", "staff"],
            previousRefreshToken: Secret("before"), random: parties.random)
        let request = try parties.verify(parties.sign(draft)) {
            $0.previousRefreshTokenClaim = "previous_refresh_token"
        }.get()
        #expect(request.username == "anna")
        #expect(request.scope.text == "openid offline_access urn:apple:platformsso")
        #expect(request.requestedGroups == ["staff", "admins"])
        #expect(request.previousRefreshToken == Secret("before"))
        #expect(request.facts.nonce == context.nonce)
        #expect(request.facts.serverNonce == TestParties.serverNonce)
        #expect(request.facts.clientID == configuration.clientID)
        #expect(request.facts.expiresAt - request.facts.issuedAt == .minutes(5))
        #expect(request.facts.response.apv == context.apv)
        #expect(
            request.facts.response.recipient.x963 == parties.deviceEncryption.publicKey.x963)
        guard case .password(let password, wasEncrypted: false) = request.credential else {
            Issue.record("not a password")
            return
        }
        #expect(password == Secret("correct horse"))
    }

    @Test("What a login looks like on the wire")
    func wire() throws {
        let context = parties.context()
        let draft = try context.login(.password(Secret("x")), random: parties.random)
        #expect(draft.header["typ"] == "platformsso-login-request+jwt")
        #expect(draft.header["alg"] == "ES256")
        #expect(
            draft.header["kid"]?.string
                == KeyIdentifier(parties.deviceSigning.publicKey).description)
        #expect(
            draft.claims.names == [
                "client_id", "iss", "aud", "sub", "username", "scope", "jwe_crypto", "grant_type",
                "password", "iat", "exp", "nonce", "request_nonce",
            ])
        #expect(draft.claims["grant_type"] == "password")
        let nonce = try #require(draft.claims["nonce"]?.string)
        #expect(nonce.utf8.count == 36 && nonce == nonce.uppercased())
        let fields = context.configuration.loginForm(try parties.sign(draft))
        #expect(fields.map(\.name) == ["platform_sso_version", "grant_type", "assertion"])
        #expect(fields[0].value == "1.0")
        #expect(fields[1].value == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    }

    @Test("An encrypted password is decrypted and is never part of the claims")
    func encryptedPassword() throws {
        var configuration = parties.configuration
        configuration.loginRequestEncryptionPublicKey = parties.providerEncryption.publicKey
        let draft = try parties.context(configuration).login(
            .password(Secret("correct horse")), random: parties.random)
        #expect(draft.claims["password"] == nil)
        #expect(draft.claims["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let request = try parties.verify(parties.sign(draft)) {
            $0.requiresEncryptedPassword = true
        }.get()
        guard case .password(let password, wasEncrypted: true) = request.credential else {
            Issue.record("not an encrypted password")
            return
        }
        #expect(password == Secret("correct horse"))
    }

    @Test("An encrypted password is opened with whichever of the provider's keys it is for")
    func rotatedDecryption() throws {
        var configuration = parties.configuration
        configuration.loginRequestEncryptionPublicKey = parties.providerEncryption.publicKey
        configuration.loginRequestEncryptionAPVPrefix = Array("another prefix".utf8)
        let message = try parties.login(context: parties.context(configuration))
        let keys = LoginKeys(decryption: [parties.stranger, parties.providerEncryption])
        #expect(throws: Never.self) { try parties.verify(message, keys: keys).get() }
    }

    @Test("A Secure Enclave key proves the person")
    func secureEnclaveKey() throws {
        let request = try parties.verify(parties.assertionLogin()).get()
        guard case .secureEnclaveKey(let name) = request.credential else {
            Issue.record("not a key")
            return
        }
        #expect(name == KeyIdentifier(parties.userKey.publicKey))
    }

    @Test("A smart card with an elliptic curve, known by its certificate")
    func smartCard() throws {
        let certificate: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        let context = parties.context()
        let draft = try context.assertion(
            key: parties.userKey.publicKey, certificates: [certificate])
        let message = try parties.login(
            .signedAssertion(parties.sign(draft, parties.userKey)), context: context)
        let card = UserKey.smartCard(parties.userKey.publicKey, certificate: certificate)
        let request = try parties.verify(message, keys: LoginKeys(user: [card])).get()
        guard case .smartCard(let found) = request.credential else {
            Issue.record("not a card")
            return
        }
        #expect(found == certificate)
        let other = UserKey.smartCard(parties.userKey.publicKey, certificate: [0x30, 0x00])
        #expect(code(parties.verify(message, keys: LoginKeys(user: [other]))) == .userKeyUnknown)
    }

    @Test(
        "A smart card with RSA, in each of its three hashes",
        arguments: [JWSAlgorithm.rs256, .rs384, .rs512])
    func rsaCard(_ algorithm: JWSAlgorithm) throws {
        let card = try PrivateJWK.generate(for: algorithm)
        let certificate: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x06]
        let context = parties.context()
        let draft = try context.assertion(key: card.publicKey, certificates: [certificate])
        #expect(draft.header["alg"]?.string == algorithm.rawValue)
        let assertion = try draft.signed(by: JOSESigner(card, algorithm: algorithm))
        let message = try parties.login(.signedAssertion(assertion), context: context)
        let keys = LoginKeys(user: [.smartCard(card.publicKey, certificate: certificate)])
        #expect(throws: Never.self) { try parties.verify(message, keys: keys).get() }
    }

    @Test("A SAML assertion is passed on unchanged", arguments: ["1.1", "2.0"])
    func saml(_ text: String) throws {
        let version = try #require(VerifiedLoginRequest.SAMLVersion(rawValue: text))
        let xml = Array("<saml:Assertion/>".utf8)
        let message = try parties.login(.saml(version, assertion: xml))
        guard case .saml(version, let found) = try parties.verify(message).get().credential else {
            Issue.record("not SAML")
            return
        }
        #expect(found == xml)
    }

    @Test("A web login passes on the whole callback, and contains its purpose")
    func webLogin() throws {
        let url = WebLoginCallback.url(code: "a code", state: "state-1")
        let callback = try WebLoginCallback(url)
        let draft = try parties.context().login(.webLogin(callback), random: parties.random)
        #expect(draft.claims["subject_token"]?.string == url)
        #expect(
            draft.claims["subject_token_type"]
                == "urn:apple:platformsso:authorization-code-response")
        #expect(draft.claims["assertion"] == nil)
        let request = try parties.verify(parties.sign(draft)).get()
        #expect(request.purpose == .login)
        guard case .webLogin(let found) = request.credential else {
            Issue.record("not a web login")
            return
        }
        #expect(found.code == "a code" && found.state == "state-1")
    }

    @Test("Device keys of macOS 15: P-384")
    func otherDeviceKey() throws {
        let signing = try PrivateJWK.generate(for: .es384)
        let context = LoginRequestContext(
            configuration: parties.configuration, user: parties.user,
            device: DeviceIdentity(
                signing: signing.publicKey, encryption: parties.deviceEncryption.publicKey),
            serverNonce: TestParties.serverNonce, now: TestParties.now, random: parties.random)
        let message = try context.login(.password(Secret("x")), random: parties.random)
            .signed(by: JOSESigner(signing))
        let device = DeviceKeys(
            signing: signing.publicKey, encryption: [parties.deviceEncryption.publicKey])
        #expect(throws: Never.self) { try parties.verify(message, device: device).get() }
    }

    @Test("Custom claims are added and replace nothing; the person's win over the device's")
    func customClaims() throws {
        var parties = parties
        parties.configuration.customLoginRequestClaims = CustomClaims(
            header: JSONObject([.init(name: "x", value: 1), .init(name: "alg", value: "none")]),
            body: JSONObject([
                .init(name: "tenant", value: "device"), .init(name: "iss", value: "evil"),
            ]))
        parties.user.customLoginRequestClaims = CustomClaims(
            body: JSONObject([.init(name: "tenant", value: "person")]))
        let draft = try parties.context().login(.password(Secret("x")), random: parties.random)
        #expect(draft.header["x"] == 1 && draft.header["alg"] == "ES256")
        #expect(draft.claims["tenant"] == "person")
        #expect(draft.claims["iss"]?.string == parties.configuration.clientID)
        let request = try parties.verify(parties.sign(draft)).get()
        #expect(request.facts.claims["tenant"] == "person")
    }

    @Test("Rotating encryption keys: the answer goes to the one that was asked for")
    func rotation() throws {
        let device = DeviceKeys(
            signing: parties.deviceSigning.publicKey,
            encryption: [parties.stranger.publicKey, parties.deviceEncryption.publicKey])
        let request = try parties.verify(parties.login(), device: device).get()
        #expect(
            request.facts.response.recipient.x963 == parties.deviceEncryption.publicKey.x963)
    }

    @Test("A draft is signed only with the algorithm that it names")
    func wrongSigner() throws {
        let draft = try parties.context().login(.password(Secret("x")), random: parties.random)
        let signer = try JOSESigner(PrivateJWK.generate(for: .es384))
        #expect(throws: JOSEError(.keyMismatch, "")) { try draft.signed(by: signer) }
    }
}
