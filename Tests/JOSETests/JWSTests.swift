// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing

@Suite("JWS")
struct JWSTests {
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private func key(_ text: String) throws -> JSONWebKey { try JSONWebKey(bytes: bytes(text)) }

    private func jws(_ header: String, _ payload: String = "{}", signature: String = "AA") -> String
    {
        [header, payload].map { Base64URL.encode(bytes($0)) }.joined(separator: ".")
            + "." + signature
    }

    @Test("RFC 7515 appendix A.1, HS256")
    func appendixA1() throws {
        let key = try key(
            #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
        )
        let message =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let verified = try JWSVerifier(key: key, algorithms: [.hs256]).verify(compact: message)
        #expect(verified.header.isType("application/jwt"))
        #expect(Base64URL.encode(verified.payload) == Self.payload)
    }

    @Test("RFC 7515 appendix A.3, ES256")
    func appendixA3() throws {
        let message =
            "eyJhbGciOiJFUzI1NiJ9.\(Self.payload).DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let key = try key(
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
        )
        _ = try JWSVerifier(key: key, algorithms: [.es256]).verify(compact: message)
        // Appendix A.6: the same signature in the JSON forms, with kid unprotected.
        let flattened = UnverifiedJWSText.flattened(message, header: #"{"kid":"e9bc"}"#)
        let general = UnverifiedJWSText.general(message, header: #"{"kid":"e9bc"}"#)
        for text in [flattened, general] {
            let verifier = JWSVerifier(key: key, algorithms: [.es256])
            _ = try verifier.verify(UnverifiedJWS(json: bytes(text)))
        }
    }

    @Test("RFC 8037 appendix A.4, Ed25519, and the same signature made here")
    func ed25519() throws {
        let pair = try key(
            #"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
        )
        let message =
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        let verified = try JWSVerifier(key: pair, algorithms: [.edDSA]).verify(compact: message)
        #expect(verified.payload == bytes("Example of Ed25519 signing"))
    }

    @Test("What is signed verifies", arguments: JWSAlgorithm.asymmetric)
    func signs(_ algorithm: JWSAlgorithm) throws {
        let pair = try Keys.pair(algorithm)
        let message = try JOSESigner(pair).sign(payload: bytes("payload"), typ: "at+jwt")
        let verified = try JWSVerifier(key: .publicKey(pair.publicKey), algorithms: [algorithm])
            .verify(compact: message)
        #expect(verified.payload == bytes("payload"))
        #expect(verified.header.isType("at+jwt"))
        #expect(verified.header.keyID == pair.keyID)
        let others = JWSAlgorithm.allCases.filter { $0 != algorithm }
        #expect(
            code {
                _ = try JWSVerifier(key: .publicKey(pair.publicKey), algorithms: others)
                    .verify(compact: message)
            } == .algorithmNotAllowed)
    }

    @Test(
        "Refused before any key is looked at",
        arguments: [
            (#"{"alg":"none"}"#, .algorithmUnsupported),
            (#"{"alg":"None"}"#, .algorithmUnsupported),
            (#"{"alg":"es256"}"#, .algorithmUnsupported), (#"{"alg":""}"#, .algorithmUnsupported),
            (#"{"alg":"ES256K"}"#, .algorithmUnsupported), ("{}", .invalidHeader),
            (#"{"alg":1}"#, .invalidHeader), (#"{"alg":"ES256","alg":"none"}"#, .invalidHeader),
            (#"{"alg":"ES256","kid":7}"#, .invalidHeader),
            (#"{"alg":"ES256","typ":{}}"#, .invalidHeader), ("[]", .invalidHeader),
            ("", .invalidHeader), (#"{"alg":"ES256"} x"#, .invalidHeader),
            (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, .unsupportedCritical),
            (#"{"alg":"ES256","crit":[]}"#, .unsupportedCritical),
            (#"{"alg":"ES256","crit":["b64"],"b64":false}"#, .unsupportedCritical),
            (#"{"alg":"ES256","b64":false}"#, .unsupportedCritical),
            (#"{"alg":"ES256","b64":true}"#, .unsupportedCritical),
        ] as [(String, JOSEError.Code)])
    func refusesHeader(_ header: String, _ expected: JOSEError.Code) throws {
        let verifier = JWSVerifier(
            key: .publicKey(try Keys.pair(.es256).publicKey), algorithms: JWSAlgorithm.allCases)
        #expect(code { _ = try verifier.verify(compact: jws(header)) } == expected)
    }

    @Test("An HMAC keyed with the public key is refused")
    func symmetryConfusion() throws {
        let pair = try Keys.pair(.rs256)
        let shared = try SymmetricJWK(
            Secret(pair.publicKey.json.bytes), parameters: KeyParameters())
        let forged = try JOSESigner(shared, algorithm: .hs256).sign(payload: [], typ: "JWT")
        let plain = try pair.publicKey.with(KeyParameters())
        let verifier = JWSVerifier(key: .publicKey(plain), algorithms: JWSAlgorithm.allCases)
        #expect(code { _ = try verifier.verify(compact: forged) } == .keyMismatch)
    }

    @Test("A key that the message brings along is never trusted")
    func embeddedKey() throws {
        let attacker = try Keys.pair(.es256)
        let ours = try PrivateJWK.generate(for: .es256)
        let forged = try JOSESigner(attacker).sign(
            payload: bytes("{}"), typ: "JWT",
            header: [
                .init(name: "jwk", value: attacker.publicKey.json),
                .init(name: "jku", value: "https://attacker.example/jwks"),
                .init(name: "x5c", value: ["AAAA"]),
            ])
        let one = JWSVerifier(key: .publicKey(ours.publicKey), algorithms: [.es256])
        #expect(code { _ = try one.verify(compact: forged) } == .signatureInvalid)
        let set = JWSVerifier(
            keys: try JWKSet([.publicKey(ours.publicKey)]), algorithms: [.es256])
        #expect(code { _ = try set.verify(compact: forged) } == .keyNotFound)
    }

    @Test(
        "A key that is not for verifying does not verify",
        arguments: [
            KeyParameters(use: "enc"), KeyParameters(use: "SIG"), KeyParameters(operations: []),
            KeyParameters(operations: ["sign"]), KeyParameters(operations: ["encrypt"]),
            KeyParameters(algorithm: "ECDH-ES"), KeyParameters(algorithm: "ES257"),
        ])
    func keyNotPermitted(_ parameters: KeyParameters) throws {
        let pair = try Keys.pair(.es256)
        let message = try JOSESigner(pair).sign(payload: [], typ: "JWT")
        let key = try pair.publicKey.with(parameters)
        let verifier = JWSVerifier(key: .publicKey(key), algorithms: [.es256])
        #expect(code { _ = try verifier.verify(compact: message) } == .keyNotPermitted)
    }

    @Test("From a set, kid selects; without kid exactly one key must fit")
    func selection() throws {
        let first = try PrivateJWK.generate(for: .es256)
        let second = try PrivateJWK.generate(for: .es256)
        let nameless = try JOSESigner(second.with(KeyParameters(algorithm: "ES256")))
        let both = try JWKSet([.publicKey(first.publicKey), .publicKey(second.publicKey)])
        let verifier = JWSVerifier(keys: both, algorithms: [.es256])
        _ = try verifier.verify(compact: JOSESigner(second).sign(payload: [], typ: "JWT"))
        let unnamed = try nameless.sign(payload: [], typ: "JWT")
        #expect(code { _ = try verifier.verify(compact: unnamed) } == .keyNotFound)
        let only = JWSVerifier(
            keys: try JWKSet([.publicKey(second.publicKey)]), algorithms: [.es256])
        _ = try only.verify(compact: unnamed)
    }

    @Test(
        "Parts that are missing, extra or not base64url are refused",
        arguments: [
            "", ".", "..", "...", "a", "a.b", "a.b.c.d", "eyJhbGciOiJFUzI1NiJ9.e30",
            "eyJhbGciOiJFUzI1NiJ9.e30.AA=", "eyJhbGciOiJFUzI1NiJ9.e3 0.AA",
            "eyJhbGciOiJFUzI1NiJ9.e30=.AA", "eyJhbGciOiJFUzI1NiJ9.e30.A+",
            "eyJhbGciOiJFUzI1NiJ9.e30.AB", " eyJhbGciOiJFUzI1NiJ9.e30.AA",
            "eyJhbGciOiJFUzI1NiJ9.e30.AA.", "eyJhbGciOiJFUzI1NiJ9.e30.AA.AA",
        ])
    func malformed(_ text: String) {
        let refused = code { _ = try UnverifiedJWS(compact: text) }
        #expect(refused == .malformed || refused == .invalidHeader)
    }

    @Test("A message beyond the limit is refused unread")
    func tooLarge() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 65_537)
        #expect(code { _ = try UnverifiedJWS(compact: text) } == .tooLarge)
        #expect(code { _ = try UnverifiedJWS(json: text) } == .tooLarge)
    }

    @Test(
        "JSON forms that are ambiguous or carry unsigned parameters are refused",
        arguments: [
            ("{}", .malformed), (#"{"payload":"e30"}"#, .malformed),
            (#"{"payload":"e30","signatures":[]}"#, .malformed),
            (#"{"payload":"e30","signatures":[1]}"#, .malformed),
            (#"{"payload":"e30","signatures":{},"signature":"AA"}"#, .malformed),
            (
                #"{"payload":"e30","protected":"eyJhbGciOiJFUzI1NiJ9","signature":"AA","header":{"alg":"none"}}"#,
                .unprotectedHeader
            ),
            (
                #"{"payload":"e30","protected":"eyJhbGciOiJFUzI1NiJ9","signature":"AA","header":{"kid":1}}"#,
                .unprotectedHeader
            ),
            (
                #"{"payload":"e30","protected":"eyJhbGciOiJFUzI1NiJ9","signature":"AA","header":[]}"#,
                .malformed
            ),
            (#"{"payload":"e30","header":{"alg":"ES256"},"signature":"AA"}"#, .malformed),
        ] as [(String, JOSEError.Code)])
    func jsonRefused(_ text: String, _ expected: JOSEError.Code) {
        #expect(code { _ = try UnverifiedJWS(json: bytes(text)) } == expected)
    }

    @Test("A signer refuses keys that are not for signing")
    func signerRefuses() throws {
        let pair = try Keys.pair(.es256)
        #expect(code { _ = try JOSESigner(pair, algorithm: .es384) } == .keyMismatch)
        let nameless = try pair.with(KeyParameters())
        #expect(code { _ = try JOSESigner(nameless) } == .algorithmUnsupported)
        for parameters in [KeyParameters(use: "enc"), KeyParameters(operations: ["verify"])] {
            let key = try pair.with(parameters)
            #expect(code { _ = try JOSESigner(key, algorithm: .es256) } == .keyNotPermitted)
        }
        let short = try SymmetricJWK(Secret("short"), parameters: KeyParameters())
        #expect(code { _ = try JOSESigner(short, algorithm: .hs256) } == .keyTooWeak)
        #expect(code { _ = try JOSESigner(short, algorithm: .es256) } == .keyMismatch)
    }

    @Test(
        "Flipped, cut and lengthened messages are refused", arguments: [JWSAlgorithm.es256, .rs256])
    func mutations(_ algorithm: JWSAlgorithm) throws {
        var random = SeededRandom(seed: 11)
        let pair = try Keys.pair(algorithm)
        let message = try JOSESigner(pair).sign(payload: bytes(#"{"sub":"anna"}"#), typ: "JWT")
        let verifier = JWSVerifier(key: .publicKey(pair.publicKey), algorithms: [algorithm])
        for round in 0..<400 {
            var mutant = message
            switch round % 3 {
            case 0:
                let index = Int.random(in: 0..<mutant.count, using: &random)
                mutant[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1:
                mutant.removeLast(Int.random(in: 1..<mutant.count, using: &random))
            default: mutant.append(UInt8(truncatingIfNeeded: random.next()))
            }
            #expect(code { _ = try verifier.verify(compact: mutant) } != nil)
        }
    }
}

/// The JSON forms of a compact JWS.
enum UnverifiedJWSText {
    static func flattened(_ compact: String, header: String) -> String {
        let parts = compact.split(separator: ".")
        return
            #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","header":\#(header),"signature":"\#(parts[2])"}"#
    }

    static func general(_ compact: String, header: String) -> String {
        let parts = compact.split(separator: ".")
        return
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","header":\#(header),"signature":"\#(parts[2])"}]}"#
    }
}

/// Key pairs made once: RSA takes a while.
enum Keys {
    private static let made: [JWSAlgorithm: PrivateJWK] = {
        var keys: [JWSAlgorithm: PrivateJWK] = [:]
        let rsa = try? PrivateJWK.generate(for: .rs256)
        for algorithm in JWSAlgorithm.asymmetric {
            if algorithm.rawValue.hasPrefix("RS") || algorithm.rawValue.hasPrefix("PS") {
                let parameters = KeyParameters(keyID: "rsa", algorithm: algorithm.rawValue)
                keys[algorithm] = try? rsa?.with(parameters)
            } else {
                keys[algorithm] = try? PrivateJWK.generate(for: algorithm)
            }
        }
        return keys
    }()

    static func pair(_ algorithm: JWSAlgorithm) throws -> PrivateJWK {
        try #require(made[algorithm])
    }
}
