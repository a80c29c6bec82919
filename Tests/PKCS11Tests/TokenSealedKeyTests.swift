// SPDX-License-Identifier: Apache-2.0
import Crypto
import PKCS11
import Primitives
import Support
import Testing

@Suite(.enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
struct TokenSealedKeyTests {
    private func token(_ label: String = SharedTokens.machine) async throws -> TokenKeys {
        _ = try await SharedTokens.ready
        return TokenKeys(
            module: SoftwareTokens.module, label: label, pin: Secret(SoftwareTokens.pin))
    }

    private func create(
        on token: TokenKeys
    ) async throws -> (key: SymmetricKey, sealed: TokenSealedKey) {
        try await blocking {
            try TokenSealedKey.create(
                on: token, label: "test", purpose: "a", random: SystemRandomSource())
        }
    }

    @Test("The token derives the key again, for its purpose only")
    func open() async throws {
        let token = try await token()
        let (key, sealed) = try await create(on: token)
        let read = try #require(TokenSealedKey(sealed.bytes))
        #expect(read == sealed && sealed.bytes.count == TokenSealedKey.size)
        let opened = try await blocking { try read.open(with: token, purpose: "a") }
        let other = try await blocking { try read.open(with: token, purpose: "b") }
        #expect(opened == key && other != key)
        try await blocking { try token.destroy(sealed.name) }
        await #expect(throws: PKCS11Error.noKey) {
            try await blocking { try read.open(with: token, purpose: "a") }
        }
    }

    @Test("The derivation is that of the state files of earlier agents")
    func derivation() async throws {
        let token = try await token()
        let (key, sealed) = try await create(on: token)
        let (name, point) = (Array(sealed.bytes.prefix(16)), Array(sealed.bytes.suffix(64)))
        let agreed = try await blocking { try token.sharedSecret(of: name, with: point) }
        let expected = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: agreed.reveal()), salt: [4] + point,
            info: Array("a".utf8), outputByteCount: 32)
        #expect(key == expected)
        try await blocking { try token.destroy(name) }
    }

    @Test("A sealed key of another length is none", arguments: [0, 16, 79, 81])
    func length(_ size: Int) {
        #expect(TokenSealedKey([UInt8](repeating: 1, count: size)) == nil)
    }
}
