// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@testable import gatehouse

@Suite("inspect platform-sso")
struct InspectPlatformSSOTests {
    @Test("An input that is not what the command reads")
    func badInput() {
        let inputs: [JSONValue] = [
            1, [:], ["message": 1, "keys": []], ["message": "a.b.c"],
            ["message": "a", "keys": [1]],
            ["message": "a", "keys": ["kty": "EC"]], ["message": "a", "keys": ["keys": 1]],
            ["message": "a", "keys": [], "now": "soon"], ["message": "a", "keys": [], "now": []],
            ["message": "a", "keys": [], "nonce": 1],
        ]
        for input in inputs {
            #expect(InspectPlatformSSO.verdict(for: input)["code"]?.string == "bad_input")
        }
        let weak: JSONValue = ["message": "a.b.c", "keys": [["kty": "EC"]]]
        #expect(InspectPlatformSSO.verdict(for: weak)["code"]?.string == "key_malformed")
    }

    @Test("A time in a string, keys in a set and space around the message are taken")
    func spellings() throws {
        let pair = try PrivateJWK.generate(for: .es256)
        let claims: JSONValue = ["iss": "https://id.example.com", "iat": 1, "exp": 2]
        let token = try JOSESigner(pair).sign(payload: claims.bytes, typ: "JWT")
        let verdict = InspectPlatformSSO.verdict(for: [
            "message": .string("\n " + String(decoding: token, as: UTF8.self) + "\r\n"),
            "keys": ["keys": [pair.publicKey.json]], "now": "1",
        ])
        #expect(verdict["value"]?["type"] == "id_token")
        let checks = verdict["value"]?["checks"]?.array ?? []
        for name: JSONValue in ["signature", "iat", "exp"] {
            #expect(checks.contains { $0["check"] == name && $0["outcome"] == "passed" })
        }
    }

    @Test("The input on the page of docs/platform-sso.md is the one that is read")
    func documentedInput() throws {
        let page = try DocumentationTests.text("docs/platform-sso.md")
        let line = try #require(page.firstMatch(of: /reads `(\{"message".*?\})`/)).1
        let members = line.matches(of: /"(\w+)"(:|\?)/)
        let pair = try PrivateJWK.generate(for: .es256)
        let values: [String: JSONValue] = [
            "message": "grant_type=srv_challenge", "keys": [pair.publicKey.json], "nonce": "n",
            "now": 1_800_000_000,
        ]
        #expect(Set(members.map { String($0.1) }) == Set(values.keys))
        func code(without name: String?) -> String? {
            let input = JSONObject(
                values.filter { $0.key != name }.map { .init(name: $0.key, value: $0.value) })
            return InspectPlatformSSO.verdict(for: .object(input))["code"]?.string
        }
        #expect(code(without: nil) == "ok")
        for member in members {
            let isOptional = member.2 == "?"
            #expect(code(without: String(member.1)) == (isOptional ? "ok" : "bad_input"))
        }
    }

    @Test("A refused message is described all the same")
    func refused() throws {
        let pair = try PrivateJWK.generate(for: .es256)
        let claims: JSONValue = ["iss": "https://id.example.com", "iat": 1, "exp": 2]
        let token = try JOSESigner(pair).sign(payload: claims.bytes, typ: "JWT")
        let verdict = InspectPlatformSSO.verdict(for: [
            "message": .string(String(decoding: token, as: UTF8.self)),
            "keys": [pair.publicKey.json], "now": 1_000_000,
        ])
        #expect(verdict["verdict"] == "refused")
        #expect(verdict["code"] == "claim_missing")
        #expect(verdict["value"]?["type"] == "id_token")
        #expect(verdict["value"]?["claims"]?["iss"] == "https://id.example.com")
        let checks = verdict["value"]?["checks"]?.array ?? []
        #expect(checks.contains { $0["check"] == "signature" && $0["outcome"] == "passed" })
        #expect(checks.contains { $0["check"] == "exp" && $0["outcome"] == "failed" })
    }
}
