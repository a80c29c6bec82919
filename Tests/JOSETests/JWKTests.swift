// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@Suite("JWK")
struct JWKTests {
    private func key(_ text: String) throws(JOSEError) -> JSONWebKey {
        try JSONWebKey(bytes: bytes(text))
    }

    private static let point =
        #""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
    private static let scalar = #""d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI""#
    private static let modulus =
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"

    @Test("The thumbprint of RFC 7638 section 3.1")
    func thumbprint() throws {
        let key = try key(
            #"{"kty":"RSA","n":"\#(Self.modulus)","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#)
        #expect(
            key.publicKey?.thumbprintText == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("The thumbprint of RFC 8037 appendix A.3")
    func thumbprintEd25519() throws {
        let key = try key(
            #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)
        #expect(
            key.publicKey?.thumbprintText == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test(
        "Malformed keys are refused",
        arguments: [
            ("{}", .keyMalformed), (#"{"kty":"EC"}"#, .keyMalformed), ("[]", .keyMalformed),
            (#"{"kty":1}"#, .keyMalformed), (#"{"kty":"AKP"}"#, .keyUnsupported),
            (#"{"kty":"ec","crv":"P-256",\#(point)}"#, .keyUnsupported),
            (#"{"kty":"EC","crv":"secp256k1",\#(point)}"#, .keyUnsupported),
            (#"{"kty":"EC","crv":"P-384",\#(point)}"#, .keyMalformed),
            (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, .keyMalformed),
            (#"{"kty":"EC","crv":"P-256","x":"f83O=","y":"x_FE"}"#, .keyMalformed),
            (#"{"kty":"EC","crv":"P-256",\#(point),"kid":5}"#, .keyMalformed),
            (#"{"kty":"EC","crv":"P-256",\#(point),"key_ops":["verify","verify"]}"#, .keyMalformed),
            (#"{"kty":"EC","crv":"P-256",\#(point),"key_ops":"verify"}"#, .keyMalformed),
            (
                #"{"kty":"EC","crv":"P-256",\#(point),"use":"enc","key_ops":["verify"]}"#,
                .keyMalformed
            ),
            (#"{"kty":"EC","crv":"P-256",\#(point),"alg":"ES384"}"#, .keyMismatch),
            (#"{"kty":"EC","crv":"P-256",\#(point),"alg":"HS256"}"#, .keyMismatch),
            (#"{"kty":"EC","crv":"P-256",\#(point),"alg":"A256GCM"}"#, .keyMismatch),
            (#"{"kty":"EC","crv":"P-256",\#(point),"d":"AA"}"#, .keyMalformed),
            (
                #"{"kty":"EC","crv":"P-256",\#(point),"d":"\#(String(repeating: "A", count: 43))"}"#,
                .keyMalformed
            ),
            (
                #"{"kty":"EC","crv":"P-256",\#(point),"d":"VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"}"#,
                .keyMismatch
            ),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, .keyMalformed),
            (#"{"kty":"OKP","crv":"Ed448","x":"AA"}"#, .keyUnsupported),
            (#"{"kty":"oct"}"#, .keyMalformed), (#"{"kty":"oct","k":""}"#, .keyTooWeak),
            (#"{"kty":"oct","k":"AAAA","alg":"HS256"}"#, .keyTooWeak),
            (#"{"kty":"oct","k":"AAAA","alg":"ES256"}"#, .keyMismatch),
            (#"{"kty":"oct","k":"AAAA","alg":"A128KW"}"#, .keyMismatch),
        ] as [(String, JOSEError.Code)])
    func refuses(_ text: String, _ expected: JOSEError.Code) {
        #expect(code { _ = try key(text) } == expected)
    }

    @Test(
        "Weak RSA keys are refused",
        arguments: [
            ("AQ", .keyTooWeak), ("Aw", .keyTooWeak), ("AQAA", .keyTooWeak),
            ("AAEAAQ", .keyMalformed), ("", .keyMalformed), ("AQAAAAAB", .keyMalformed),
        ] as [(String, JOSEError.Code)])
    func weakExponent(_ exponent: String, _ expected: JOSEError.Code) {
        let text = #"{"kty":"RSA","n":"\#(Self.modulus)","e":"\#(exponent)"}"#
        #expect(code { _ = try key(text) } == expected)
    }

    @Test("An RSA modulus that is short, even, huge or padded is refused")
    func weakModulus() throws {
        let modulus = try #require(Base64URL.decode(Self.modulus))
        let bad: [([UInt8], JOSEError.Code)] = [
            (Array(modulus.suffix(128)), .keyTooWeak), ([0] + modulus, .keyMalformed),
            (Array(modulus.dropLast()) + [2], .keyMalformed), ([], .keyMalformed),
            (modulus + modulus + modulus + modulus + modulus, .keyTooWeak),
        ]
        for (n, expected) in bad {
            let refused = code {
                _ = try PublicJWK(.rsa(n: n, e: [1, 0, 1]), parameters: KeyParameters())
            }
            #expect(refused == expected)
        }
    }

    @Test("Nothing prints a private part")
    func redaction() throws {
        let pair = try key(#"{"kty":"EC","crv":"P-256",\#(Self.point),\#(Self.scalar)}"#)
        let shared = try key(#"{"kty":"oct","k":"c2VjcmV0c2VjcmV0"}"#)
        var dumped = ""
        for value in [pair, shared] {
            dump(value, to: &dumped)
            dumped += "\(value) \(String(reflecting: value))"
        }
        #expect(!dumped.contains("jpsQnnGQ"))
        #expect(!dumped.contains("c2VjcmV0"))
        #expect(!dumped.contains("142, 155"))
        #expect(pair.publicKey?.json["d"] == nil)
    }

    @Test(
        "A new key pair survives its export",
        arguments: [JWSAlgorithm.es256, .es384, .es512, .edDSA, .rs256])
    func generate(_ algorithm: JWSAlgorithm) throws {
        let pair = try PrivateJWK.generate(for: algorithm)
        #expect(pair.keyID == pair.publicKey.thumbprintText)
        let again = try JSONWebKey(bytes: pair.export().reveal())
        #expect(again.privateKey == pair)
        #expect(try JSONWebKey(bytes: pair.publicKey.json.bytes).publicKey == pair.publicKey)
    }

    @Test("A shared key cannot be generated as a pair, nor an RSA key of an odd size")
    func generateRefuses() {
        #expect(code { _ = try PrivateJWK.generate(for: .hs256) } == .algorithmUnsupported)
        #expect(
            code { _ = try PrivateJWK.generate(for: .rs256, rsaBits: 1024) } == .keyTooWeak)
    }

    @Test("A set that mixes kinds or repeats a kid is refused; unknown kinds are left out")
    func sets() throws {
        let open = #"{"kty":"EC","crv":"P-256","kid":"a",\#(Self.point)}"#
        let other = #"{"kty":"EC","crv":"P-256","kid":"b",\#(Self.point)}"#
        let pair = #"{"kty":"EC","crv":"P-256","kid":"c",\#(Self.point),\#(Self.scalar)}"#
        let shared = #"{"kty":"oct","k":"AAAA","kid":"d"}"#
        func set(_ keys: String...) throws -> JWKSet {
            try JWKSet(bytes: bytes(#"{"keys":[\#(keys.joined(separator: ","))]}"#))
        }
        #expect(try set(open, other, #"{"kty":"AKP","kid":"e"}"#).keys.count == 2)
        #expect(code { _ = try set(open, open) } == .keySetRefused)
        #expect(code { _ = try set(open, shared) } == .keySetRefused)
        #expect(code { _ = try set(open, pair) } == .keySetRefused)
        #expect(code { _ = try set(open, "1") } == .keyMalformed)
        #expect(code { _ = try set(open, #"{"kty":"EC"}"#) } == .keyMalformed)
        #expect(code { _ = try JWKSet(bytes: bytes("{}")) } == .keyMalformed)
        let many = Array(repeating: #"{"kty":"AKP"}"#, count: 65).joined(separator: ",")
        #expect(code { _ = try JWKSet(bytes: bytes(#"{"keys":[\#(many)]}"#)) } == .tooLarge)
        #expect(try set(pair).publicJSON.text.contains("\"d\"") == false)
        #expect(try set(shared).publicJSON == ["keys": []])
    }
}
