// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

/// One case of Wycheproof's `json_web_signature` or `json_web_key` files.
struct WycheproofCase: Sendable, CustomTestStringConvertible {
    let number: Int64
    let comment: String
    let isValid: Bool
    let jws: String
    let keys: JSONValue

    var testDescription: String { "\(number) \(comment)" }

    static func all(_ file: String) -> [WycheproofCase] {
        let groups = VectorFile.shared(file)?["testGroups"]?.array ?? []
        return groups.flatMap { group in
            (group["tests"]?.array ?? []).compactMap { test in
                guard let number = test["tcId"]?.integer, let jws = test["jws"]?.string,
                    let keys = group["public"] ?? group["private"]
                else { return nil }
                return WycheproofCase(
                    number: number, comment: test["comment"]?.string ?? "",
                    isValid: test["result"]?.string == "valid", jws: jws, keys: keys)
            }
        }
    }

    func verify(_ rule: JWSVerifier.KeyAlgorithmRule) throws -> VerifiedJWS {
        let object = try #require(keys.object)
        let message =
            jws.hasPrefix("{")
            ? try UnverifiedJWS(json: bytes(jws)) : try UnverifiedJWS(compact: jws)
        let verifier =
            object["keys"] == nil
            ? JWSVerifier(
                key: try JSONWebKey(object), algorithms: JWSAlgorithm.allCases, rule: rule)
            : JWSVerifier(
                keys: try JWKSet(object), algorithms: JWSAlgorithm.allCases, rule: rule)
        return try verifier.verify(message)
    }
}

/// Skipped if the checkout has no shared vectors next to it.
@Suite("Wycheproof", .enabled(if: VectorFile.shared("wycheproof-jwk.json") != nil))
struct WycheproofTests {
    private static let signatures = WycheproofCase.all("wycheproof-jws-part.json")
    private static let keys = WycheproofCase.all("wycheproof-jwk.json")

    @Test("The files were read whole")
    func count() {
        #expect(Self.signatures.count == 345)
        #expect(Self.keys.count == 26)
    }

    @Test("Signatures are verified as Wycheproof expects", arguments: signatures)
    func signature(_ vector: WycheproofCase) {
        let refused = code { _ = try vector.verify(.noWeakerHash) } != nil
        #expect(refused != vector.isValid)
    }

    @Test("Keys are validated as Wycheproof expects", arguments: keys)
    func key(_ vector: WycheproofCase) {
        let refused = code { _ = try vector.verify(.exact) } != nil
        #expect(refused != vector.isValid)
    }

    @Test("A key that names PS256 verifies no PS384 where something is granted: cases 346 and 350")
    func exactAlgorithm() {
        let refused = Self.signatures.filter { vector in
            vector.isValid && code { _ = try vector.verify(.exact) } == .keyNotPermitted
        }
        #expect(refused.map(\.number) == [346, 350])
    }
}
