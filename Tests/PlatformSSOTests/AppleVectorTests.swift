// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PlatformSSO
import Primitives
import Synchronization
import Testing

/// The values of Apple's articles "Performing encryption verification" and "Creating a JSON Web
/// Encryption (JWE) login response", and of a captured key exchange.
@Suite("Apple's vectors")
struct AppleVectorTests {
    static let signing = AppleKey(
        x: "gK60EgxT-EipyAgSlrHG0LgFVrgnd8UXAvLOgykJtms",
        y: "PAIz7YrH4Rxz1rlfn6JcnwSmFDVGY1ISlGnmK1NX5vs",
        d: "vXZoCHYVxEJVcCcQN50ZKEBwhlQYO6g3KaUIufh3vXw",
        kid: "Ws9mKynZxyUSNXYtMGAjjLO+Jg16HCa/5pJO0udNWJ4=")
    static let encryption = AppleKey(
        x: "TvkPOH4yscrSC1rFYvnBVPYMqzR1vKck9ht4D7K_gAQ",
        y: "4MlSuUf_7J6Ljv0FBT1jK0_sKGB4WYwdKCOtnTEAwz4",
        d: "1bqqmpoFEtzSnQMqp9N9ZRybnP8vjFUiZyGaSgKVGMw",
        kid: "pScnuzx3x85Eyp6CtK9UQADxOsAGTP72y02Tg3m1sk8=")
    static let ephemeral = AppleKey(
        x: "VIXdgu3x0eLgEVtROZ5YQ4GUS8WZQT-3HPqX2FPoY4I",
        y: "erf9nEkEC8SiuwP-7f7udD7CnX5KEauVIfBPoqnmlYo",
        d: "okDfU7IYlFXoEKgqu-79iy-AR55omCKzVKlFCXy8z5c",
        kid: "lssbzDeX5i7SjBnCsHVKrzAMnEvEmVwZeyJQqoGdS4E=")
    static let nonce = "DDF68171-409D-4E2C-91F0-9E42D7745365"
    static let apu =
        "AAAABUFQUExFAAAAQQRUhd2C7fHR4uARW1E5nlhDgZRLxZlBP7cc-pfYU-hjgnq3_ZxJBAvEorsD_u3-7nQ-wp1-"
        + "ShGrlSHwT6Kp5pWK"
    static let apv =
        "AAAABUFwcGxlAAAAQQRO-Q84fjKxytILWsVi-cFU9gyrNHW8pyT2G3gPsr-ABODJUrlH_-yei479BQU9YytP7Chg"
        + "eFmMHSgjrZ0xAMM-AAAAJERERjY4MTcxLTQwOUQtNEUyQy05MUYwLTlFNDJENzc0NTM2NQ"
    private static let agreed = "L87ywmD3aLpVlXsqAvq7udyr4s6M0y9MjQCytE71epA"
    static let contentKey = "kh36uWSGH25r09lLf3m5l3TLS5xKAs-h3UCdbTKheCY"
    static let initializationVector = "cFAKroCUiODyXmdK"

    @Test("Vector A: the names of the three keys", arguments: [signing, encryption, ephemeral])
    func names(_ key: AppleKey) throws {
        let name = KeyIdentifier(try key.pair().publicKey)
        #expect(name.description == key.kid)
        #expect(KeyIdentifier(key.kid) == name)
    }

    @Test("Vector A: party information, byte for byte")
    func partyInformation() throws {
        let sender = PartyInfo.sender(ephemeral: try Self.ephemeral.pair().publicKey)
        #expect(Base64URL.encode(sender.bytes) == Self.apu)
        #expect(sender.bytes.count == 78)
        let recipient = PartyInfo.recipient(
            deviceEncryption: try Self.encryption.pair().publicKey, nonce: Self.nonce)
        #expect(Base64URL.encode(recipient.bytes) == Self.apv)
        #expect(recipient.bytes.count == 118)
        #expect(PartyInfo(bytes: recipient.bytes) == recipient)
    }

    @Test("Vector A: both sides agree on Z, and derive the content key from it")
    func derivation() throws {
        let (device, provider) = (try Self.encryption.pair(), try Self.ephemeral.pair())
        let z = try KeyAgreement.sharedSecret(provider, device.publicKey)
        #expect(Base64URL.encode(z) == Self.agreed)
        #expect(try KeyAgreement.sharedSecret(device, provider.publicKey) == z)
        let apu = try #require(Base64URL.decode(Self.apu))
        let apv = try #require(Base64URL.decode(Self.apv))
        let key = try #require(ContentKey.derive(sharedSecret: z, apu: apu, apv: apv))
        #expect(Base64URL.encode(key) == Self.contentKey)
        // The input of the hash, by hand.
        let algorithm = Array("A256GCM".utf8)
        let input =
            [0, 0, 0, 1] + z + PartyInfo(fields: [algorithm, apu, apv]).bytes + [0, 0, 1, 0]
        #expect(input.count == 255)
        #expect(Array(SHA256.hash(data: input)) == key)
    }

    @Test("Vector A: with Apple's ephemeral key and vector, our message has Apple's parts")
    func sealing() throws {
        let provider = try Self.ephemeral.pair()
        let random = Script([
            try #require(Base64URL.decode(Self.ephemeral.d)),
            // The encrypter's own content key, which agreement leaves unused.
            [UInt8](repeating: 0, count: 32),
            try #require(Base64URL.decode(Self.initializationVector)),
        ])
        let response = ResponseEncryption(
            recipient: try Self.encryption.pair().publicKey,
            apv: try #require(Base64URL.decode(Self.apv)))
        let sealed = try response.seal(Array("{}".utf8), type: .loginResponse, random: random)
        let header = try SealedResponse(compact: sealed).header.members
        #expect(header["apu"]?.string == Self.apu)
        #expect(header["kid"]?.string == Self.encryption.kid)
        #expect(header["epk"] == provider.publicKey.json)
        let parts = sealed.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        #expect(parts[1].isEmpty)
        #expect(String(decoding: parts[2], as: UTF8.self) == Self.initializationVector)
        // AES-GCM over the encoded header, by hand.
        let box = try AES.GCM.SealedBox(
            nonce: .init(data: try #require(Base64URL.decode(bytes: parts[2]))),
            ciphertext: try #require(Base64URL.decode(bytes: parts[3])),
            tag: try #require(Base64URL.decode(bytes: parts[4])))
        let key = SymmetricKey(data: try #require(Base64URL.decode(Self.contentKey)))
        #expect(
            try Array(AES.GCM.open(box, using: key, authenticating: parts[0])) == Array("{}".utf8))
    }

    @Test("Vector B: the content key of the second article")
    func secondArticle() throws {
        let z = try bytes(hex: "3491708C92422BB807EDF2B8183A42737C5DAA6C39BA9535321D51C836D7ADA1")
        let ephemeral = try publicKey(
            "BkFHRYQoleq39LplGqlcmsEdnw64w0wbcbHAEjrM4pw",
            "jbOoWZbgDFTEfLa1O_7ZuJy3R8d2XAw0CHWUKmJLsbU")
        let device = try publicKey(
            "mcJyr2BqUQHlscaGoWTw_4QNxDUqI1lR11kCRAzLJkk",
            "P_mLtZKoMMC3G8PtRleKzm1c5D0afPZX_61s70Cx75I")
        let key = ContentKey.derive(
            sharedSecret: z, apu: PartyInfo.sender(ephemeral: ephemeral).bytes,
            apv: PartyInfo.recipient(
                deviceEncryption: device, nonce: "B7F1FC32-9121-4E2A-9E32-8417E03675DD"
            ).bytes)
        #expect(
            key
                == (try bytes(
                    hex: "A146E4A23BDA2E53826C04D2F442BCFBD87BC2719D74B8A7DA00AF976267712E")))
    }

    @Test("Vector C: a key exchange, and the name of the device that asked for it")
    func keyExchange() throws {
        let d = try bytes(hex: "13ba3fe5af6ce0c60e6287613e8d8db28ccd9fa020e9f709ebeb19e5c522dfad")
        let other = try #require(
            LenientBase64.decode(
                "BCBx2Z+Uo/dFeXnMSl08bFslWC0K5+8sG9sZcNqrQOlbmqTP4gwPRYW8vj+N3gBN9Gvh2ubuQyjUVLA7bMv+tsk="
            ))
        let key = try KeyResponse.agree(
            provisioned: PrivateJWK(scalar: Secret(d), on: .p256), other: PublicJWK(x963: other))
        let wanted = LenientBase64.decode("OXM0+NHcjVpW2L/0p+Jd+wAqvUvvPmyDXjt8/X102tA=")
        #expect(key.reveal() == wanted)
        let response = KeyResponse(.key(key), keyContext: nil, now: TestParties.now)
        let json = try JSONParser.parseObject(response.json, maximumBytes: 1024)
        #expect(json["key"] == "OXM0+NHcjVpW2L/0p+Jd+wAqvUvvPmyDXjt8/X102tA=")
        let spki = try #require(
            LenientBase64.decode(
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELOFf3yRXGWbDaS339MS2ehFfkC7xoxR6sWdoIVD5bGcEav9WkZfNFJ1ye4iYqpBB7i0Z/rJuCUQXcXq+OyKZHQ=="
            ))
        let device = try PublicJWK(x963: Array(spki.suffix(65)))
        #expect(
            KeyIdentifier(device).description == "f+RnKWrikksTQNgBuZhD8oMVRFVPBbpRSsrmybfvJC0=")
    }

    private func publicKey(_ x: String, _ y: String) throws -> PublicJWK {
        try PublicJWK(
            .ellipticCurve(
                .p256, x: #require(Base64URL.decode(x)), y: #require(Base64URL.decode(y))),
            parameters: KeyParameters())
    }
}

/// A key as Apple prints it.
struct AppleKey: Sendable, CustomTestStringConvertible {
    let x: String
    let y: String
    let d: String
    let kid: String

    var testDescription: String { kid }

    func pair() throws -> PrivateJWK {
        let object: JSONValue = [
            "kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y), "d": .string(d),
        ]
        let members = try #require(object.object)
        return try #require(JSONWebKey(members).privateKey)
    }
}

/// Randomness that was written down before.
private final class Script: RandomSource {
    private let answers: Mutex<[[UInt8]]>
    init(_ answers: [[UInt8]]) { self.answers = Mutex(answers) }

    func bytes(_ count: Int) -> [UInt8] {
        let next = answers.withLock { $0.removeFirst() }
        precondition(next.count == count, "the script expected another question")
        return next
    }
}

func bytes(hex: String) throws -> [UInt8] {
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
        try #require(UInt8(String(digits[index...(index + 1)]), radix: 16))
    }
}
