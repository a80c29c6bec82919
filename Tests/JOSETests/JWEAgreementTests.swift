// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

/// A message in JSON that jwcrypto 1.6.1 encrypted: `epk` is in the recipient's header.
struct JWEJSONCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let algorithm: String
    let key: JSONObject
    let jwe: JSONObject

    static let all: [JWEJSONCase] =
        VectorFile.own("jwe-json-jwcrypto-1.6.1.json")?.array?.compactMap { value in
            guard let name = value["name"]?.string, let algorithm = value["alg"]?.string,
                let key = value["jwk"]?.object, let jwe = value["jwe"]?.object
            else { return nil }
            return JWEJSONCase(
                testDescription: name, algorithm: algorithm, key: key, jwe: jwe)
        } ?? []

    func decrypt(_ changed: JSONObject? = nil) throws -> [UInt8] {
        try JWEDecrypter(
            key: JSONWebKey(key), algorithms: [#require(JWEAlgorithm(exactly: algorithm))]
        ).decrypt(UnverifiedJWE(json: (changed ?? jwe).bytes)).plaintext
    }
}

@Suite("JWE in JSON with epk in the unprotected header (RFC 7516 section 7.2)")
struct JWEAgreementTests {
    @Test("What jwcrypto writes is decrypted", arguments: JWEJSONCase.all)
    func decrypts(_ vector: JWEJSONCase) throws {
        #expect(try vector.decrypt() == bytes("made by jwcrypto"))
    }

    @Test("The file was read whole")
    func count() { #expect(JWEJSONCase.all.count == 6) }

    private func vector(_ name: String) throws -> JWEJSONCase {
        try #require(JWEJSONCase.all.first { $0.testDescription.contains(name) })
    }

    @Test("epk may be in the shared header too")
    func shared() throws {
        let vector = try vector("epk per recipient")
        var moved = vector.jwe
        moved["unprotected"] = moved["header"]
        moved["header"] = nil
        #expect(try vector.decrypt(moved) == bytes("made by jwcrypto"))
    }

    @Test("A name in two headers is refused, wherever the two are")
    func disjoint() throws {
        let vector = try vector("epk per recipient")
        var twice = vector.jwe
        twice["unprotected"] = twice["header"]
        #expect(code { _ = try vector.decrypt(twice) } == .invalidHeader)
        let protected = try self.vector("apv protected")
        var again = protected.jwe
        again["unprotected"] = ["apv": "Qm9i"]
        #expect(code { _ = try protected.decrypt(again) } == .invalidHeader)
    }

    @Test(
        "Attack 21: alg and enc stay in the protected header, whatever the others contain",
        arguments: ["alg", "enc", "zip", "crit", "b64", "p2s", "jwk", "x5u"])
    func strict(name: String) throws {
        let vector = try vector("epk per recipient")
        var changed = vector.jwe
        changed["unprotected"] = .object(JSONObject([.init(name: name, value: "ECDH-ES")]))
        #expect(code { _ = try vector.decrypt(changed) } == .unprotectedHeader)
    }

    @Test("Attack 21: a changed epk, apu or apv outside of the protected header gives another key")
    func changed() throws {
        let parties = try vector("apu and apv shared")
        for value in [["apu": "Qm9i", "apv": "Qm9i"], ["apv": "Qm9i"], ["apu": 1, "apv": "Qm9i"]]
            as [JSONValue]
        {
            var changed = parties.jwe
            changed["unprotected"] = value
            #expect(code { _ = try parties.decrypt(changed) } == .decryptionFailed)
        }
        let recipient = try vector("epk per recipient")
        var other = recipient.jwe
        other["header"] = try vector("direct agreement").jwe["header"]
        #expect(code { _ = try recipient.decrypt(other) } == .decryptionFailed)
        other["header"] = nil
        #expect(code { _ = try recipient.decrypt(other) } == .decryptionFailed)
    }
}
