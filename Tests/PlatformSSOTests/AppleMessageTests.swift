// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PlatformSSO
import Primitives
import Testing

/// Complete messages of Apple's articles "Performing encryption verification" and "Creating an
/// encrypted embedded assertion", unchanged, pretty-printed as macOS prints them.
@Suite("Apple's messages")
struct AppleMessageTests {
    private typealias Vector = AppleVectorTests

    private static let issuedAt = Timestamp(seconds: 1_656_005_132)

    // MARK: Vector A: a login of macOS 13, and its answer

    private static let certificate =
        "MIIBhDCCASmgAwIBAgIBATAKBggqhkjOPQQDAjA3MRQwEgYDVQQDEwtkZXZpY2UgdGVzdDELMAkGA1UEBhMC"
        + "VVMxEjAQBgNVBAoTCUFwcGxlIEluYzAeFw0yMjA2MjMxNzI1MzFaFw0yMzA2MjMxNzI1MzFaMDcxFDASBgNV"
        + "BAMTC2RldmljZSB0ZXN0MQswCQYDVQQGEwJVUzESMBAGA1UEChMJQXBwbGUgSW5jMFkwEwYHKoZIzj0CAQYI"
        + "KoZIzj0DAQcDQgAEgK60EgxT+EipyAgSlrHG0LgFVrgnd8UXAvLOgykJtms8AjPtisfhHHPWuV+folyfBKYU"
        + "NUZjUhKUaeYrU1fm+6MmMCQwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMCB4AwCgYIKoZIzj0E"
        + "AwIDSQAwRgIhAMwGOYwgf5xGxNcZLL/Y4phA66w/PSVLeQYhec2JTQF1AiEAlNSUDycvv0DwDQYU4wUpco/G"
        + "Buhc4mPmli3+DT+p1Is="

    private static let loginHeader = """
        {
          "kid" : "\(Vector.signing.kid)",
          "x5c" : "\(certificate)",
          "typ" : "JWT",
          "alg" : "ES256"
        }
        """

    private static let serverNonce =
        "AwABAAAAAAADAOz_BADv_xtgu_SM1Mvoq02PYz_YfXxx5FAgcLHLNikH6gjrBWwcqnRW_haxqO9JCiPat5Kf"
        + "kTily04S8EH3AQwVsWCxHYQgAA"

    private static let loginClaims = """
        {
          "iat" : "1656005132",
          "jwe_crypto" : {
            "alg" : "ECDH-ES",
            "enc" : "A256GCM",
            "apv" : "\(Vector.apv)"
          },
          "password" : "bar",
          "request_nonce" : "\(serverNonce)",
          "scope" : "openid offline_access urn:apple:platformsso",
          "grant_type" : "password",
          "username" : "foo",
          "aud" : "https://localhost.apple.com:8888/auth/token",
          "client_id" : "aaff1524-fa35-40c5-94e3-2b233c5f2965",
          "nonce" : "\(Vector.nonce)"
        }
        """

    private static let loginSignature =
        "JMD4NkC0bwrQ0GZI66EMo50Rwgfj3fewTc_6836zWbyvNwcCSNmL9hKIgJx-oFoiwZ0dtYYN5KPI3MHLg3-GBw"

    private static func compact(_ parts: String...) -> [UInt8] {
        Array(parts.joined(separator: ".").utf8)
    }

    private static func letters(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    private func verify(
        _ message: [UInt8], now: Timestamp = issuedAt
    ) throws -> Result<VerifiedLoginRequest, PlatformSSORefusal> {
        guard case .login(let request) = try UnverifiedRequest(compact: message) else {
            return .failure(PlatformSSORefusal(.typeMismatch, "not a login"))
        }
        let expectation = RequestVerifier.Expectation(
            clientID: "aaff1524-fa35-40c5-94e3-2b233c5f2965",
            endpoints: ["https://localhost.apple.com:8888/auth/token"],
            audience: "060798FF-814E-4C38-97F8-28C954B7E058")
        let device = DeviceKeys(
            signing: try Vector.signing.pair().publicKey,
            encryption: [try Vector.encryption.pair().publicKey])
        return RequestVerifier(expectation).verify(
            request, device: device, keys: LoginKeys(), now: now)
    }

    @Test("Vector A: Apple's signed login is accepted unchanged, and only for its five minutes")
    func login() throws {
        let message = Self.compact(
            Self.letters(Self.loginHeader), Self.letters(Self.loginClaims), Self.loginSignature)
        let login = try verify(message).get()
        guard case .password(let password, wasEncrypted: false) = login.credential else {
            Issue.record("not a password")
            return
        }
        #expect(password == Secret("bar") && login.username == "foo")
        #expect(login.facts.nonce == Vector.nonce)
        #expect(login.facts.serverNonce == Self.serverNonce)
        #expect(Base64URL.encode(login.facts.response.apv) == Vector.apv)
        #expect(code(try verify(message, now: Self.issuedAt + .minutes(7))) == .expired)
        var changed = message
        changed[message.count - 100] ^= 1
        #expect(throws: (any Error).self) { try verify(changed).get() }
    }

    private static let identity = """
        {
          "nonce" : "\(Vector.nonce)",
          "iat" : "1656005132",
          "nbf" : "1656005132",
          "upn" : "foo",
          "exp" : "1656005432",
          "aud" : "aaff1524-fa35-40c5-94e3-2b233c5f2965",
          "iss" : "https://foo.issuer.com"
        }
        """

    private static let identityHeader = """
        {
          "typ" : "JWT",
          "alg" : "RS256",
          "kid" : "utsKazVHPv8MxCGOq4X5blSg1uA6AluVqxMEIR7Key8="
        }
        """

    /// By an RSA key that Apple does not print.
    private static let identitySignature =
        "G2-DqhAiJ1i6OKrXv8vg5Vr8VYqqqmYvvuSaPJfwsLDot2ivHw2aljyXngkNVh6-NkkevGZtIRqSpOr0f9s0"
        + "z_9fk2fj2soyG9iN0RhJcI-_qHoaLlkeaC4QvY6xjVQ2uj8nbRpHESxTdhJ-KJ6_2mATi75VqRi_WsA0IKfx"
        + "Bhg8cMZKne0_iM4hDDjAQPGcvIkLpngOPSmdGmLMRFUSKpUPPbktC4GkF4OUAerEKENDWedxiSjBkep9mYU_"
        + "Lt3E3j4EMYTUrL3YyMWLj-vtTckmU2Bdso0y_ny_08iYgOUrv8bpvY1A7hsSpec9e601dJHp1zLw5Zio8cUY"
        + "t2qJjQ"

    private static var idToken: String {
        "\(letters(identityHeader)).\(letters(identity)).\(identitySignature)"
    }

    private static var responseBody: String {
        """
        {
          "refresh_token" : "AwABAAAAvPM1KaPlrEqdFSBzjqfTGAMxZGUTdM0t4B4",
          "id_token" : "\(idToken)",
          "expires_on" : "1656033932",
          "token_type" : "Bearer",
          "expires_in" : 28800,
          "refresh_token_expires_in" : 28800
        }
        """
    }

    private static let responseHeader = """
        {
          "enc" : "A256GCM",
          "kid" : "\(Vector.encryption.kid)",
          "epk" : {
            "y" : "\(Vector.ephemeral.y)",
            "x" : "\(Vector.ephemeral.x)",
            "kty" : "EC",
            "crv" : "P-256"
          },
          "apu" : "\(Vector.apu)",
          "typ" : "JWT",
          "alg" : "ECDH-ES"
        }
        """

    @Test("Vector A: the whole answer, to Apple's tag, is opened with the device's key")
    func response() throws {
        let plaintext = Array(Self.responseBody.utf8)
        #expect(plaintext.count == 986)
        let header = Self.letters(Self.responseHeader)
        let box = try AES.GCM.seal(
            plaintext,
            using: SymmetricKey(data: try #require(Base64URL.decode(Vector.contentKey))),
            nonce: .init(data: try #require(Base64URL.decode(Vector.initializationVector))),
            authenticating: Array(header.utf8))
        #expect(Base64URL.encode(Array(box.tag)) == "4dpX5cVdPodXep2NyC2Vyg")
        let sealed = try SealedResponse(
            compact: Self.compact(
                header, "", Vector.initializationVector,
                Base64URL.encode(Array(box.ciphertext)), Base64URL.encode(Array(box.tag))))
        #expect(sealed.statedAPV == nil)
        let members = try sealed.open(
            with: Vector.encryption.pair(), apv: try #require(Base64URL.decode(Vector.apv)))
        let response = try LoginResponse(members)
        #expect(response.idToken == Self.idToken)
        #expect(response.refreshTokenExpiresIn == .seconds(28_800))
        #expect(response.more["expires_on"] == "1656033932")
        // With another nonce in apv the key is another.
        let other = PartyInfo.recipient(
            deviceEncryption: try Vector.encryption.pair().publicKey, nonce: "another")
        #expect(
            code { _ = try sealed.open(with: Vector.encryption.pair(), apv: other.bytes) }
                == .decryptionFailed)
    }

    // MARK: Vector E: an encrypted password

    private static let encryptedAPU =
        "AAAABUFQUExFAAAAQQQ1ScwrPPzUWXRKKURViBZaMv_iVMBpcd4ni4kZDX0ACdcH1KXJ4Tqu0j5e-1AX5Gp1"
        + "3UDm4gVwyAy8dJ9f85SS"
    private static let encryptedAPV =
        "AAAADUFQUExFRU1CRURERUQAAABBBCX87eqonWyNUNz2JeH2wG68_WiPfQlJw6AiDvHSD08n5Hdn1oDUBxhL"
        + "_TRarvhUUGDYsnBRk2HRH_ZoXGtpUncAAABuQXdBQkFBQUFBQUFEQU96X0JBRHZfeHRndV9TTTFNdm9xMDJQ"
        + "WXpfWWZYeHg1RkFnY0xITE5pa0g2Z2pyQld3Y3FuUldfaGF4cU85SkNpUGF0NUtma1RpbHkwNFM4RUgzQVF3"
        + "VnNXQ3hIWVFnQUE"
    private static let recipientName = "7y1xXc4I6iAyldmVkIeGtQxo8NRq2FgKFb++Or13jxU="

    private static let encryptedHeader = """
        {
          "enc" : "A256GCM",
          "apv" : "\(encryptedAPV)",
          "alg" : "ECDH-ES",
          "epk" : {
            "y" : "1wfUpcnhOq7SPl77UBfkanXdQObiBXDIDLx0n1_zlJI",
            "x" : "NUnMKzz81Fl0SilEVYgWWjL_4lTAaXHeJ4uJGQ19AAk",
            "kty" : "EC",
            "crv" : "P-256"
          },
          "kid" : "\(recipientName)",
          "apu" : "\(encryptedAPU)",
          "typ" : "platformsso-encrypted-login-assertion+jwt"
        }
        """

    @Test("Vector E: its party information, byte for byte; kid is the recipient's")
    func encryptedPassword() throws {
        let apv = try #require(Base64URL.decode(Self.encryptedAPV))
        let fields = try #require(PartyInfo(bytes: apv)?.fields)
        #expect(fields.count == 3 && fields[0] == PartyInfo.embeddedLabel)
        #expect(fields[2] == Array(Self.serverNonce.utf8))
        let recipient = try PublicJWK(x963: fields[1])
        #expect(KeyIdentifier(recipient).description == Self.recipientName)
        #expect(
            PartyInfo.provider(encryption: recipient, serverNonce: Self.serverNonce).bytes == apv)
        let members = try JSONParser.parseObject(
            Array(Self.encryptedHeader.utf8), maximumBytes: 4096)
        guard let epk = members["epk"]?.object, case .publicKey(let key) = try JSONWebKey(epk)
        else {
            Issue.record("epk is no public key")
            return
        }
        #expect(Base64URL.encode(PartyInfo.sender(ephemeral: key).bytes) == Self.encryptedAPU)
    }

    @Test("Vector E: its header is read, and names the key; without that key it opens nothing")
    func encryptedHeader() throws {
        let assertion = Self.compact(
            Self.letters(Self.encryptedHeader), "", Vector.initializationVector,
            Base64URL.encode(Array("ciphertext".utf8)), "4dpX5cVdPodXep2NyC2Vyg")
        let parties = TestParties()
        let message = try parties.login { claims in
            claims["password"] = nil
            claims["grant_type"] = .string(GrantType.jwtBearer.rawValue)
            claims["assertion"] = .string(String(decoding: assertion, as: UTF8.self))
        }
        guard case .login(let login) = try UnverifiedRequest(compact: message),
            case .encrypted(let encrypted)? = login.assertion
        else {
            Issue.record("not an encrypted password")
            return
        }
        #expect(encrypted.keyID == KeyIdentifier(Self.recipientName))
        #expect(code(parties.verify(message)) == .decryptionFailed)
    }
}
