// SPDX-License-Identifier: Apache-2.0
import Crypto
import PIN
import Primitives
import Support
import Testing

/// The bytes of docs/protocols/pin.md, written a second time from its words.
@Suite struct PINBytesTests {
    @Test("A sign-in is exactly what the description says")
    func signIn() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let secret = try #require(world.vault.secret(of: device.record))
        let nonce = PINNonce(random: world.random)
        let parts = try await device.signInRequest("24681", nonce: nonce).split(separator: 0x2E)
        let expected = try PINWorldText.signInPayload(
            with: secret, version: 1, nonce, device.requests.binding)
        #expect(Array(parts[1]) == expected)
        let header = String(
            decoding: try #require(Base64URL.decode(bytes: parts[0])), as: UTF8.self)
        #expect(
            header
                == #"{"alg":"ES256","kid":"\#(device.keyID.text)","typ":"gatehouse-pin-sign-in+jwt"}"#
        )
    }

    @Test("What the evidence of a key attests to is exactly what the description says")
    func registrationChallenge() throws {
        let device = try PINTestDevice(PINWorld())
        let (binding, nonce) = (device.requests.binding, PINNonce(random: SeededRandom()))
        let key = PINTransportKey().publicKey
        let transcript = PINWorldText.transcript("registration", binding, [nonce.bytes, key.bytes])
        let challenge = PINRegistrationChallenge.bytes(binding, nonce: nonce, transportKey: key)
        #expect(challenge == Array(SHA256.hash(data: transcript)))
        let others = [
            PINRegistrationChallenge.bytes(
                binding, nonce: nonce, transportKey: PINTransportKey().publicKey),
            PINRegistrationChallenge.bytes(
                binding, nonce: PINNonce(random: SeededRandom(seed: 2)), transportKey: key),
            PINRegistrationChallenge.bytes(
                PINBinding(issuer: "https://id.exampl", keyID: binding.keyID), nonce: nonce,
                transportKey: key),
        ]
        #expect(!others.contains(challenge))
    }

    @Test("A transport key of small order is refused")
    func smallOrder() {
        var one = [UInt8](repeating: 0, count: 32)
        #expect(PINTransportPublicKey(bytes: one) == nil)
        one[0] = 1
        #expect(PINTransportPublicKey(bytes: one) == nil)
        #expect(PINTransportPublicKey(bytes: []) == nil)
        #expect(PINTransportPublicKey(bytes: [UInt8](repeating: 9, count: 33)) == nil)
        #expect(PINTransportPublicKey(bytes: PINTransportKey().publicKey.bytes) != nil)
    }

    @Test("Names of keys and nonces have 32 bytes in canonical base64url")
    func lengths() {
        let good = Base64URL.encode([UInt8](repeating: 0xFF, count: 32))
        #expect(PINKeyID(text: good) != nil && PINNonce(text: good) != nil)
        for text in [
            "", "AA", good + "A", good + "=", String(good.dropLast()), "*" + good.dropFirst(),
        ] {
            #expect(PINKeyID(text: text) == nil)
            #expect(PINNonce(text: text) == nil)
        }
    }
}
