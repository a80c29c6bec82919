// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@testable import gatehouse

@Suite("inspect jws, jwe, jwk")
struct InspectJOSETests {
    private static let key: JSONValue = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    /// RFC 7515 appendix A.3
    private static let message =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    private func code(_ verdict: JSONValue) -> String? { verdict["code"]?.string }

    @Test("A right signature is accepted, with header and payload")
    func accepted() {
        for input: JSONValue in [
            ["jws": .string(Self.message), "jwk": Self.key],
            ["jws": .string(Self.message), "jwks": ["keys": [Self.key]], "alg": "ES256"],
        ] {
            let verdict = InspectJWS.verdict(for: input)
            #expect(verdict["verdict"] == "accepted")
            #expect(verdict["value"]?["header"] == ["alg": "ES256"])
            #expect(verdict["value"]?["payload"]?.string?.hasPrefix("eyJpc3Mi") == true)
        }
    }

    @Test("A wrong input is refused with a stable code")
    func refused() {
        let jws = JSONValue.string(Self.message)
        let inputs: [(JSONValue, String)] = [
            (1, "bad_input"), ([:], "bad_input"), (["jws": jws], "bad_input"),
            (["jwk": Self.key], "bad_input"), (["jws": 5, "jwk": Self.key], "bad_input"),
            (["jws": jws, "jwk": Self.key, "jwks": ["keys": []]], "bad_input"),
            (["jws": jws, "jwk": Self.key, "alg": "ES384"], "algorithm_not_allowed"),
            (["jws": jws, "jwk": Self.key, "alg": "none"], "algorithm_unsupported"),
            (["jws": .string(Self.message + "="), "jwk": Self.key], "malformed"),
            (["jws": jws, "jwk": ["kty": "oct", "k": "AAAA"]], "key_mismatch"),
            (["jws": jws, "jwks": ["keys": []]], "key_not_found"),
            (["jws": "{", "jwk": Self.key], "malformed"),
        ]
        for (input, expected) in inputs {
            let verdict = InspectJWS.verdict(for: input)
            #expect(verdict["verdict"] == "refused")
            #expect(code(verdict) == expected)
        }
    }

    @Test("A private key is described without its private part")
    func describesKey() throws {
        let pair = try PrivateJWK.generate(for: .es256)
        let exported = try JSONParser.parse(pair.export().reveal(), maximumBytes: 4096)
        let verdict = InspectJWK.verdict(for: ["jwk": exported])
        #expect(verdict["value"]?["kind"] == "private")
        #expect(verdict["value"]?["thumbprint"]?.string == pair.publicKey.thumbprintText)
        let secret = try #require(exported["d"]?.string)
        #expect(!verdict.text.contains(secret))
        #expect(code(InspectJWK.verdict(for: ["jwk": ["kty": "EC"]])) == "key_malformed")
    }

    @Test("A JWE needs the private key")
    func decrypts() throws {
        let refused = InspectJWE.verdict(for: ["jwe": "a.b.c.d.e", "jwk": Self.key])
        #expect(code(refused) == "malformed")
        #expect(code(InspectJWE.verdict(for: ["jwk": Self.key])) == "bad_input")
    }

    @Test("A line that is not JSON gets a verdict, and exit codes tell the three outcomes apart")
    func lines() async {
        for text in ["", "{", "nonsense", "\u{FEFF}{}", "{}{}"] {
            let verdict = await InspectBatch.verdict(Array(text.utf8)) { _ in .null }
            #expect(verdict["verdict"] == "refused")
            #expect(InspectCommand.Options.exitCode(of: verdict) == 2)
        }
        let long = [UInt8](repeating: UInt8(ascii: " "), count: InspectBatch.maximumBytes + 1)
        let verdict = await InspectBatch.verdict(long) { _ in .null }
        #expect(code(verdict) == "json_too_large")
        #expect(verdict["reason"]?.string == "longer than 1048576 bytes")
        let accepted = InspectJWS.verdict(for: ["jws": .string(Self.message), "jwk": Self.key])
        #expect(InspectCommand.Options.exitCode(of: accepted) == 0)
        let refused = InspectJWS.verdict(for: ["jws": "a.b.c", "jwk": Self.key])
        #expect(InspectCommand.Options.exitCode(of: refused) == 1)
    }
}
