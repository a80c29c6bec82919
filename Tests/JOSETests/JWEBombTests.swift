// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing

/// Messages that are small to send and would be dear to read.
@Suite("JWE bombs", .timeLimit(.minutes(5)))
struct JWEBombTests {
    private static let tail = "..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA"

    private func decrypter() throws -> JWEDecrypter {
        let key = try SymmetricJWK(
            Secret([UInt8](repeating: 1, count: 16)), parameters: KeyParameters())
        return JWEDecrypter(key: .symmetricKey(key), algorithms: JWEAlgorithm.allCases)
    }

    private func verdict(_ message: String) -> JOSEError.Code? {
        code { _ = try decrypter().decrypt(UnverifiedJWE(compact: message)) }
    }

    private func message(header: String) -> String {
        Base64URL.encode(bytes(header)) + Self.tail
    }

    @Test(
        "Attack 20: compressed content is refused before anything is decrypted",
        arguments: ["DEF", "def", "GZIP", "", "none"])
    func compression(_ zip: String) throws {
        // Encrypted rightly, so that only the parameter can be the reason.
        let header = #"{"alg":"dir","enc":"A128GCM","zip":"\#(zip)"}"#
        #expect(verdict(message(header: header)) == .compressionNotAllowed)
        let json =
            #"{"protected":"\#(Base64URL.encode(bytes(header)))","iv":"AA","ciphertext":"AA","tag":"AA"}"#
        #expect(code { _ = try UnverifiedJWE(json: bytes(json)) } == .compressionNotAllowed)
    }

    @Test(
        "Attack 20: no count in the header makes us derive keys from passwords",
        arguments: ["PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW"],
        ["1000000000", "1", "9223372036854775807", "1e400", "-1"])
    func passwordIterations(_ algorithm: String, _ count: String) {
        let header = #"{"alg":"\#(algorithm)","enc":"A128GCM","p2s":"AAAAAAAAAAA","p2c":\#(count)}"#
        let refused = verdict(message(header: header))
        #expect(refused == .algorithmUnsupported || refused == .invalidHeader)
    }

    @Test("Attack 20: a header or a body of a megabyte is refused by its length alone")
    func megabytes() {
        let padding = String(repeating: "A", count: 1_048_576)
        let header = #"{"alg":"dir","enc":"A128GCM","x":"\#(padding)"}"#
        #expect(verdict(message(header: header)) == .tooLarge)
        let short = Base64URL.encode(bytes(#"{"alg":"dir","enc":"A128GCM"}"#))
        #expect(
            verdict("\(short)..AAAAAAAAAAAAAAAA.\(padding).AAAAAAAAAAAAAAAAAAAAAA") == .tooLarge)
        #expect(verdict("\(padding).\(padding).\(padding).\(padding).\(padding)") == .tooLarge)
        #expect(
            code { _ = try UnverifiedJWE(json: bytes(#"{"protected":"\#(padding)"}"#)) }
                == .tooLarge)
    }

    @Test("Attack 20: a header that is deep or endless in members is refused within the limit")
    func deepHeader() {
        let deep = String(repeating: "[", count: 20_000)
        #expect(verdict(message(header: #"{"alg":"dir","enc":"A128GCM","x":\#(deep)"#)) != nil)
        let closed = deep + String(repeating: "]", count: 20_000)
        #expect(
            verdict(message(header: #"{"alg":"dir","enc":"A128GCM","x":\#(closed)}"#))
                == .invalidHeader)
        let members = (0..<4_000).map { #""m\#($0)":1"# }.joined(separator: ",")
        #expect(verdict(message(header: #"{"alg":"dir","enc":"A128GCM",\#(members)}"#)) != nil)
    }

    @Test("Attack 20: dots and recipients without end are refused, not collected")
    func endlessParts() {
        #expect(verdict(String(repeating: ".", count: 65_536)) == .malformed)
        #expect(verdict(String(repeating: ".", count: 65_537)) == .tooLarge)
        let header = Base64URL.encode(bytes(#"{"alg":"dir","enc":"A128GCM"}"#))
        let recipients = String(repeating: "{},", count: 10_000) + "{}"
        let json =
            #"{"protected":"\#(header)","iv":"AA","ciphertext":"AA","tag":"AA","recipients":[\#(recipients)]}"#
        #expect(code { _ = try UnverifiedJWE(json: bytes(json)) } == .malformed)
    }
}
