// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@Suite("HPKE, which is not offered")
struct UnsupportedHPKETests {
    private let parties = TestParties()

    @Test(
        "A request for an answer in HPKE is refused by name, without apv and with it",
        arguments: [
            "HPKE-P256-SHA256-A256GCM", "HPKE-P384-SHA384-A256GCM",
            "HPKE-X25519-SHA256-ChaCha20Poly1305",
        ])
    func requests(_ algorithm: String) throws {
        for apv in [nil, JSONValue.string(Base64URL.encode(parties.context().apv))] {
            let message = try parties.login { claims in
                var wish = JSONObject([
                    .init(name: "alg", value: .string(algorithm)), .init(name: "enc", value: "dir"),
                    .init(name: "kid", value: "device"),
                ])
                wish["apv"] = apv
                claims["jwe_crypto"] = .object(wish)
            }
            let refusal = parties.verify(message)
            #expect(code(refusal) == .hpkeNotOffered)
            #expect(PlatformSSORefusal.Code.hpkeNotOffered.status == 400)
        }
    }

    @Test("An assertion in HPKE is refused by name, whatever its other parts")
    func assertions() throws {
        let header = #"{"alg":"HPKE-P256-SHA256-A256GCM","enc":"dir"}"#
        let text = Base64URL.encode(Array(header.utf8)) + ".AAAA..AAAA."
        let message = try parties.login(.signedAssertion(Array(text.utf8)))
        #expect(code(parties.verify(message)) == .hpkeNotOffered)
        #expect(code { _ = try SealedResponse(compact: Array(text.utf8)) } == .hpkeNotOffered)
    }

    @Test("Our own client does not write it either")
    func client() throws {
        var configuration = parties.configuration
        configuration.loginRequestEncryptionPublicKey = parties.providerEncryption.publicKey
        configuration.loginRequestEncryptionAlgorithm = .hpkeP256SHA256AESGCM256
        let context = parties.context(configuration)
        #expect(throws: JOSEError(.algorithmUnsupported, "")) {
            try context.login(.password(Secret("x")), random: parties.random)
        }
    }
}
