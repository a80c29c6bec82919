// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Testing
import WebAuthn

/// Attacks with bytes that are not what they should be: JSON, base64 and authenticator data.
@Suite struct ResponseBytesAttackTests {
    @Test("Attack 26: JSON with tricks is refused, in the response and in client data")
    func json() async throws {
        let good = String(decoding: RegistrationCeremony().clientDataJSON, as: UTF8.self)
        let inner = String(good.dropFirst().dropLast())
        let hostile =
            [
                "{\(inner),\(inner)}", "{\(inner),\"type\":\"webauthn.create\"}", "[\(good)]",
                "{\(inner)}{}", "{\(inner),}", "{\(inner) /* */}", "{\(inner),\"x\":NaN}",
                "{\(inner),\"x\":\"\u{1}\"}", "{\(inner),\"x\":\"\\ud800\"}",
                "{\(inner),\"x\":\(String(repeating: "[", count: 500))",
                "{\(inner),\"x\":\"\(String(repeating: "y", count: 9000))\"}",
                good.replacing("\"https", with: "7,\"o\":\"https"),
            ].map { Array($0.utf8) } + [
                Array(good.utf8.dropLast()) + [0xC0, 0x80, 0x7D], [0xFE, 0xFF] + Array(good.utf8),
            ]
        for bytes in hostile {
            var ceremony = RegistrationCeremony()
            ceremony.clientData = bytes
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 6, .clientDataMalformed))
            #expect(throws: refusal(.registration, 3, .responseMalformed)) {
                try UnverifiedRegistration(json: bytes)
            }
        }
        #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
            try UnverifiedAssertion(json: [UInt8](repeating: 0x20, count: 10 << 20))
        }
    }

    @Test("Attack 26: base64 with padding, the standard alphabet or line breaks is refused")
    func base64() {
        let passkey = RegistrationCeremony().passkey
        for suffix in ["=", "==", "\n", " ", "+", "/", "\u{0}"] {
            let made = passkey.registration(challenge: [1], origin: "https://a.example")
            var json = made.object ?? JSONObject()
            var parts = json["response"]?.object ?? JSONObject()
            parts["clientDataJSON"] = .string((parts["clientDataJSON"]?.string ?? "") + suffix)
            json["response"] = .object(parts)
            #expect(throws: refusal(.registration, 3, .responseMalformed)) {
                try UnverifiedRegistration(json: .object(json))
            }
        }
    }

    @Test("Attack 27: authenticator data whose flags and length disagree are refused")
    func authenticatorData() async throws {
        let passkey = AssertionCeremony().passkey
        let plain = passkey.authenticatorData()
        let withExtensions = plain.extended(by: [CBOREntry(.text("x"), .bool(true))])
        let flags = plain[32]
        let hostile: [[UInt8]] = [
            [], Array(plain.dropLast()), plain + [0], plain.replacing(32, with: flags | 0x80),
            plain.replacing(32, with: flags | 0x40), withExtensions.replacing(32, with: flags),
            withExtensions + [0], Array(withExtensions.dropLast()),
            // ED with what is no map, or a map with keys that are no text.
            plain.replacing(32, with: flags | 0x80) + [0x81, 0x01],
            plain.replacing(32, with: flags | 0x80) + [0xA1, 0x01, 0x01],
            plain.replacing(32, with: flags | 0x80) + [0xBF, 0xFF],
        ]
        for data in hostile {
            var ceremony = AssertionCeremony()
            ceremony.authenticatorData = data
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 15, .authenticatorDataMalformed))
        }
        // Reserved bits are ignored (section 6.1).
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags |= 0b0010_0010
        _ = try ceremony.verify().get()
        // A registration without a credential in it.
        var registration = RegistrationCeremony()
        registration.authenticatorData = plain
        #expect(
            await registration.verify().refusal
                == refusal(.registration, 13, .authenticatorDataMalformed))
    }
}
