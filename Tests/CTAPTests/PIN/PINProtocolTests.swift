// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import Support
import Testing

@Suite struct PINProtocolTests {
    private let random = SeededRandom(seed: 5)

    private func secrets(_ number: PINProtocol) throws -> (PINSharedSecret, PINSharedSecret) {
        let key = PINKeyAgreement(random: random)
        let (sent, client) = try PINKeyAgreement.encapsulate(
            for: PINKeyAgreementKey(key.publicKey.cose), number, random: random)
        return (client, try key.sharedSecret(with: PINKeyAgreementKey(sent.cose), number))
    }

    @Test("Both sides reach the same secret", arguments: PINProtocol.allCases)
    func agreement(_ number: PINProtocol) throws {
        let (client, key) = try secrets(number)
        let plaintext = Secret(random.bytes(64))
        let ciphertext = try client.encrypt(plaintext, random: random)
        #expect(ciphertext.count == 64 + number.encryptionOverhead)
        #expect(try key.decrypt(ciphertext) == plaintext)
        let authentication = client.authenticate(ciphertext)
        #expect(authentication.count == number.authenticationLength)
        #expect(key.verify(ciphertext, authentication))
    }

    @Test("Protocol two never produces the same ciphertext twice; protocol one does")
    func initializationVector() throws {
        for number in PINProtocol.allCases {
            let (client, _) = try secrets(number)
            let twice = try (0..<2).map { _ in
                try client.encrypt(Secret([UInt8](repeating: 7, count: 16)), random: random)
            }
            #expect((twice[0] == twice[1]) == (number == .one))
        }
    }

    @Test("A changed message or authentication is refused", arguments: PINProtocol.allCases)
    func forged(_ number: PINProtocol) throws {
        let (client, key) = try secrets(number)
        let message = random.bytes(40)
        let right = client.authenticate(message)
        for index in right.indices {
            var wrong = right
            wrong[index] ^= 1
            #expect(!key.verify(message, wrong))
        }
        #expect(!key.verify(message.dropLast(), right))
        #expect(!key.verify(message, right.dropLast()))
        #expect(!key.verify(message, []))
    }

    @Test("Attack 37: protocol two's key does not accept what protocol one made")
    func downgrade() throws {
        let key = PINKeyAgreement(random: random)
        let (sent, one) = try PINKeyAgreement.encapsulate(
            for: key.publicKey, .one, random: random)
        let two = try key.sharedSecret(with: sent, .two)
        let message = random.bytes(32)
        #expect(!two.verify(message, one.authenticate(message)))
        #expect(one.authenticate(message) != Array(two.authenticate(message).prefix(16)))
    }

    @Test("Anything but whole blocks is refused", arguments: PINProtocol.allCases)
    func blocks(_ number: PINProtocol) throws {
        let (client, key) = try secrets(number)
        for length in [1, 15, 17, 63] {
            #expect(throws: PINProtocolError.invalidLength) {
                try client.encrypt(Secret(random.bytes(length)), random: random)
            }
            #expect(throws: PINProtocolError.invalidLength) {
                try key.decrypt(random.bytes(length))
            }
        }
        if number == .two {
            #expect(throws: PINProtocolError.invalidLength) { try key.decrypt([]) }
        }
    }

    @Test("Protocol two derives its keys with HKDF as section 6.5.7 defines")
    func derivation() throws {
        // Recomputed with HKDF from its definition: extract under 32 zeros, expand with the name.
        let (left, right) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        let shared = try left.sharedSecretFromKeyAgreement(with: right.publicKey)
        let z = shared.withUnsafeBytes { Array($0) }
        let zeros = SymmetricKey(data: [UInt8](repeating: 0, count: 32))
        let prk = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: z, using: zeros))
        let info = Array("CTAP2 HMAC key".utf8) + [1]
        let key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: info, using: prk))
        let expected = Array(HMAC<SHA256>.authenticationCode(for: [1, 2, 3], using: key))
        let secret = try PINKeyAgreement(left).sharedSecret(
            with: PINKeyAgreementKey(right.publicKey), .two)
        #expect(secret.authenticate([1, 2, 3]) == expected)
    }
}
