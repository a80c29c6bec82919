// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Support
import Testing

/// The bytes of docs/protocols/pin.md, written a second time from its words.
@Suite struct PINBytesTests {
    @Test("A sign-in, its sealed proof and its header are exactly what the description says")
    func signIn() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let secret = try #require(world.vault.secret(of: device.record))
        let nonce = PINNonce(random: world.random)
        let binding = device.requests.binding
        let parts = try await device.signInRequest("24681", nonce: nonce).split(separator: 0x2E)
        let payload = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: parts[1])), maximumBytes: 4_096)
        #expect(payload.names == ["aud", "jti", "ver", "proof_key", "enc", "ct"])
        #expect(payload["aud"] == "https://id.example" && payload["jti"]?.string == nonce.text)
        #expect(
            payload["proof_key"]?.string == Base64URL.encode(world.proofKey.publicKey.keyID))
        let proof = try PINWorldText.openProof(
            payload, with: PINWorld.proofScalar, nonce, binding)
        #expect(
            proof == PINWorldText.signInProof(with: secret, version: 1, nonce, binding))
        let header = String(
            decoding: try #require(Base64URL.decode(bytes: parts[0])), as: UTF8.self)
        #expect(
            header
                == #"{"alg":"ES256","kid":"\#(device.keyID.text)","typ":"gatehouse-pin2-sign-in+jwt"}"#
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

    @Test("With a transport key of version 1, the evidence has the transcript of version 1")
    func registrationChallengeOfVersion1() throws {
        let device = try PINTestDevice(PINWorld())
        let (binding, nonce) = (device.requests.binding, PINNonce(random: SeededRandom()))
        let bytes = Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        let key = try #require(PINTransportPublicKey(bytes: bytes))
        #expect(key.protocolVersion == .one)
        let transcript = Version1Device.transcript("registration", binding, [nonce.bytes, bytes])
        let challenge = PINRegistrationChallenge.bytes(binding, nonce: nonce, transportKey: key)
        #expect(challenge == Array(SHA256.hash(data: transcript)))
    }

    @Test("A transport key off the curve, compressed or at infinity is refused")
    func offTheCurve() {
        let good = PINTransportKey().publicKey.bytes
        #expect(PINTransportPublicKey(bytes: good)?.protocolVersion == .two)
        var changed = good
        changed[64] ^= 1
        let bad: [[UInt8]] = [
            changed, [2] + good[1..<33], [5] + good[1...], [UInt8](repeating: 0, count: 65),
            [4] + [UInt8](repeating: 0, count: 64), Array(good.dropLast()), good + [0], [0],
        ]
        for bytes in bad { #expect(PINTransportPublicKey(bytes: bytes) == nil) }
    }

    @Test("A transport key of version 1 and small order is refused")
    func smallOrder() {
        var one = [UInt8](repeating: 0, count: 32)
        #expect(PINTransportPublicKey(bytes: one) == nil)
        one[0] = 1
        #expect(PINTransportPublicKey(bytes: one) == nil)
        #expect(PINTransportPublicKey(bytes: []) == nil)
        #expect(PINTransportPublicKey(bytes: [UInt8](repeating: 9, count: 33)) == nil)
        #expect(PINTransportPublicKey(bytes: [UInt8](repeating: 9, count: 32)) != nil)
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
