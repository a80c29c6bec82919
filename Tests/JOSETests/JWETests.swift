// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing

/// A message that joserfc 1.6.5 encrypted.
struct JWECase: Sendable, CustomTestStringConvertible {
    let algorithm: String
    let encryption: String
    let key: JSONValue
    let jwe: String

    var testDescription: String { "\(algorithm) \(encryption)" }

    static let all: [JWECase] =
        VectorFile.own("jwe-joserfc-1.6.5.json")?.array?.compactMap { value in
            guard let algorithm = value["alg"]?.string, let encryption = value["enc"]?.string,
                let key = value["jwk"], let jwe = value["jwe"]?.string
            else { return nil }
            return JWECase(algorithm: algorithm, encryption: encryption, key: key, jwe: jwe)
        } ?? []

    func decrypt(_ text: String? = nil) throws -> DecryptedJWE {
        try JWEDecrypter(
            key: JSONWebKey(#require(key.object)),
            algorithms: [#require(JWEAlgorithm(exactly: algorithm))],
            encryptions: [#require(JWEEncryption(exactly: encryption))]
        ).decrypt(UnverifiedJWE(compact: text ?? jwe))
    }
}

@Suite("JWE")
struct JWETests {
    @Test("The file was read whole")
    func count() { #expect(JWECase.all.count == 19) }

    @Test("Messages of another implementation are decrypted", arguments: JWECase.all)
    func decrypts(_ vector: JWECase) throws {
        let plain = try vector.decrypt().plaintext
        #expect(plain == bytes("made by another implementation"))
    }

    @Test("Attack 21: every part that is changed gives the same refusal", arguments: JWECase.all)
    func uniformRefusal(_ vector: JWECase) throws {
        let parts = vector.jwe.split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        for index in 1..<5 {
            var bytes = try #require(Base64URL.decode(parts[index]))
            if bytes.isEmpty { bytes = [1] } else { bytes[bytes.count / 2] ^= 0x10 }
            for changed in [bytes, bytes + [0], Array(bytes.dropLast())] {
                var mutant = parts
                mutant[index] = Base64URL.encode(changed)
                guard mutant != parts else { continue }
                let text = mutant.joined(separator: ".")
                #expect(code { _ = try vector.decrypt(text) } == .decryptionFailed)
            }
        }
    }

    @Test(
        "What is encrypted is decrypted", arguments: JWEAlgorithm.allCases, JWEEncryption.allCases)
    func roundTrip(_ algorithm: JWEAlgorithm, _ encryption: JWEEncryption) throws {
        let random = SeededRandom(seed: 3)
        let key = try key(for: algorithm, encryption, random)
        let encrypter = try JWEEncrypter(key: key, algorithm: algorithm, encryption: encryption)
        let options = JWEEncrypter.Options(
            contentType: "JWT", apu: bytes("APPLE"), apv: bytes("nonce"))
        for size in [0, 1, 16, 33] {
            let text = random.bytes(size)
            let message = try encrypter.encrypt(text, options: options, random: random)
            let decrypted = try JWEDecrypter(key: key, algorithms: [algorithm])
                .decrypt(UnverifiedJWE(compact: message))
            #expect(decrypted.plaintext == text)
        }
    }

    private func key(
        for algorithm: JWEAlgorithm, _ encryption: JWEEncryption, _ random: SeededRandom
    ) throws -> JSONWebKey {
        switch algorithm {
        case .ecdhES: .privateKey(try Keys.pair(.es512).with(KeyParameters(keyID: "a")))
        case .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
            .privateKey(try Keys.pair(.es256).with(KeyParameters()))
        case .rsaOAEP, .rsaOAEP256: .privateKey(try Keys.pair(.rs256).with(KeyParameters()))
        case .a128KW, .a192KW, .a256KW, .direct:
            .symmetricKey(
                try SymmetricJWK(
                    Secret(random.bytes(Self.size(algorithm) ?? encryption.keyBytes)),
                    parameters: KeyParameters()))
        }
    }

    private static func size(_ algorithm: JWEAlgorithm) -> Int? {
        [.a128KW: 16, .a192KW: 24, .a256KW: 32][algorithm]
    }

    @Test(
        "Algorithms that are weak, unknown or not pinned are refused",
        arguments: [
            (#"{"alg":"RSA1_5","enc":"A128GCM"}"#, .algorithmUnsupported),
            (
                #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2c":1000000000,"p2s":"AA"}"#,
                .algorithmUnsupported
            ),
            (#"{"alg":"none","enc":"A128GCM"}"#, .algorithmUnsupported),
            (#"{"alg":"dir","enc":"none"}"#, .algorithmUnsupported),
            (#"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#, .compressionNotAllowed),
            (#"{"alg":"dir"}"#, .invalidHeader), (#"{"enc":"A128GCM"}"#, .invalidHeader),
            (#"{"alg":"dir","enc":"A128GCM","crit":["x"],"x":1}"#, .unsupportedCritical),
            (#"{"alg":"A128KW","enc":"A128GCM"}"#, .algorithmNotAllowed),
            (#"{"alg":"dir","enc":"A256GCM"}"#, .keyMismatch),
            (#"{"alg":"dir","enc":"A128GCM"}"#, .decryptionFailed),
        ] as [(String, JOSEError.Code)])
    func refusesHeader(_ header: String, _ expected: JOSEError.Code) throws {
        let key = try SymmetricJWK(
            Secret([UInt8](repeating: 1, count: 16)), parameters: KeyParameters())
        let decrypter = JWEDecrypter(key: .symmetricKey(key), algorithms: [.direct])
        let text = Base64URL.encode(bytes(header)) + "..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA"
        #expect(code { _ = try decrypter.decrypt(UnverifiedJWE(compact: text)) } == expected)
    }

    @Test(
        "Attack 21: an ephemeral key that is missing, private, off the curve or on another is refused",
        arguments: [
            "null", "{}", #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(zeros)","y":"\#(zeros)"}"#,
            #"{"kty":"OKP","crv":"X25519","x":"\#(zeros)"}"#, #"{"kty":"oct","k":"AAAA"}"#,
        ])
    func ephemeralKey(_ epk: String) throws {
        let pair = try Keys.pair(.es256).with(KeyParameters())
        let header = #"{"alg":"ECDH-ES","enc":"A128GCM","epk":\#(epk)}"#
        let text = Base64URL.encode(bytes(header)) + "..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA"
        let decrypter = JWEDecrypter(key: .privateKey(pair), algorithms: [.ecdhES])
        #expect(
            code { _ = try decrypter.decrypt(UnverifiedJWE(compact: text)) } == .decryptionFailed)
    }

    private static let zeros = String(repeating: "A", count: 43)

    @Test("A key for signing neither decrypts nor encrypts")
    func keyNotPermitted() throws {
        let pair = try Keys.pair(.es256).with(KeyParameters(use: "sig"))
        let message = try JWEEncrypter(
            key: .publicKey(pair.publicKey.with(KeyParameters())), algorithm: .ecdhES,
            encryption: .a256GCM
        ).encrypt([1], random: SeededRandom())
        #expect(
            code {
                _ = try JWEDecrypter(key: .privateKey(pair), algorithms: [.ecdhES])
                    .decrypt(UnverifiedJWE(compact: message))
            } == .keyNotPermitted)
        #expect(
            code {
                _ = try JWEEncrypter(
                    key: .publicKey(pair.publicKey), algorithm: .ecdhES, encryption: .a256GCM)
            } == .keyNotPermitted)
        #expect(
            code {
                _ = try JWEEncrypter(
                    key: .publicKey(pair.publicKey), algorithm: .rsaOAEP, encryption: .a256GCM)
            } == .keyMismatch)
    }

    @Test("Both JSON forms are read; several recipients and unsigned parameters are not")
    func json() throws {
        let vector = try #require(JWECase.all.first { $0.algorithm == "A128KW" })
        let p = vector.jwe.split(separator: ".").map(String.init)
        let common =
            #""protected":"\#(p[0])","iv":"\#(p[2])","ciphertext":"\#(p[3])","tag":"\#(p[4])""#
        let decrypter = JWEDecrypter(
            key: try JSONWebKey(#require(vector.key.object)), algorithms: [.a128KW])
        for text in [
            #"{\#(common),"encrypted_key":"\#(p[1])","header":{"kid":"x"}}"#,
            #"{\#(common),"recipients":[{"encrypted_key":"\#(p[1])"}]}"#,
        ] {
            _ = try decrypter.decrypt(UnverifiedJWE(json: bytes(text)))
        }
        let aad = #"{\#(common),"encrypted_key":"\#(p[1])","aad":"AA"}"#
        #expect(
            code { _ = try decrypter.decrypt(UnverifiedJWE(json: bytes(aad))) }
                == .decryptionFailed)
        let bad: [(String, JOSEError.Code)] = [
            (#"{\#(common),"recipients":[{},{}]}"#, .malformed),
            (#"{\#(common),"recipients":[]}"#, .malformed),
            (#"{\#(common),"unprotected":{"alg":"dir"}}"#, .unprotectedHeader),
            (#"{\#(common),"header":{"zip":"DEF"}}"#, .unprotectedHeader), ("{}", .malformed),
            (#"{\#(common),"header":{"enc":"A128GCM"}}"#, .unprotectedHeader),
            (#"{\#(common),"unprotected":{"kid":"a"},"header":{"kid":"a"}}"#, .invalidHeader),
            (#"{\#(common),"aad":5}"#, .malformed),
        ]
        for (text, expected) in bad {
            #expect(code { _ = try UnverifiedJWE(json: bytes(text)) } == expected)
        }
    }

    @Test(
        "Parts that are missing, extra or not base64url are refused",
        arguments: ["", "....", "a.b.c.d", "a.b.c.d.e.f", "e30.=.AA.AA.AA", "e30.AB.AA.AA.AA"])
    func malformed(_ text: String) {
        let refused = code { _ = try UnverifiedJWE(compact: text) }
        #expect(refused == .malformed || refused == .invalidHeader)
    }
}
