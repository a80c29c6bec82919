// SPDX-License-Identifier: Apache-2.0
import Agent
import CTAP
import Crypto
import Foundation
import JOSE
import PKCS11
import PlatformSSO
import Primitives
import Support
import Testing

@Suite struct KeyStoreTests {
    /// Debian's program; a machine without it cannot play a TPM.
    static let hasTPM = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")

    @Test("Keys in the sealed file sign and agree")
    func file() async throws {
        try await check(KeyStore(.file, random: SystemRandomSource()))
    }

    @Test("Keys in a TPM sign and agree", .enabled(if: hasTPM, "needs swtpm"))
    func tpm() async throws {
        let tpm = try await SoftwareTPM()
        try await check(KeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource()))
    }

    @Test(
        "Keys on a token sign and agree",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func token() async throws { try await check(try await Self.onToken(SharedTokens.machine)) }

    /// A store on one of the tokens that the tests share.
    static func onToken(
        _ label: String, pin: String = SoftwareTokens.pin
    ) async throws -> KeyStore {
        _ = try await SharedTokens.ready
        return KeyStore(
            .pkcs11,
            token: TokenKeys(module: SoftwareTokens.module, label: label, pin: Secret(pin)),
            random: SystemRandomSource())
    }

    @Test(
        "A key of one token is of no use with another, nor behind a wrong PIN",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func otherToken() async throws {
        let key = try await Self.onToken(SharedTokens.machine).makeSigningKey()
        let other = try await Self.onToken(SharedTokens.other)
        await #expect(throws: PKCS11Error.noKey) { try await other.sign([1], with: key) }
        let wrong = try await Self.onToken(SharedTokens.machine, pin: "000000")
        await #expect(throws: PKCS11Error.pinIncorrect) { try await wrong.sign([1], with: key) }
        await #expect(throws: PKCS11Error.pinIncorrect) { try await wrong.makeSigningKey() }
    }

    @Test("A store on a token that nobody named is an error, never a key in a file")
    func noToken() async throws {
        let store = KeyStore(.pkcs11, random: SystemRandomSource())
        await #expect(throws: KeyStoreError.self) { try await store.makeSigningKey() }
        await #expect(throws: KeyStoreError.self) { try await store.makeAgreementKey() }
    }

    private func check(_ store: KeyStore) async throws {
        let signing = try await store.makeSigningKey()
        #expect(signing.kind == store.kind)
        let message = Array("message".utf8)
        let signature = try await store.sign(message, with: signing)
        let point = try #require(signing.publicKey.x963)
        let key = try P256.Signing.PublicKey(x963Representation: point)
        #expect(
            key.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message))
        let own = try await store.makeAgreementKey()
        let other = P256.KeyAgreement.PrivateKey()
        let agreed = try await store.agree(
            own, with: try PublicJWK(x963: Array(other.publicKey.x963Representation)))
        let ownPoint = try #require(own.publicKey.x963)
        let expected = try other.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: ownPoint))
        #expect(agreed.reveal() == expected.withUnsafeBytes { Array($0) })
    }

    @Test("A TPM that is away is an error, never a key in a file")
    func away() async throws {
        let store = KeyStore(.tpm, tpm: "/nowhere/tpm", random: SystemRandomSource())
        await #expect(throws: AuthenticatorStoreError.self) { try await store.makeSigningKey() }
        await #expect(throws: AuthenticatorStoreError.self) { try await store.makeAgreementKey() }
    }

    @Test("A key of one TPM is of no use to another", .enabled(if: hasTPM, "needs swtpm"))
    func otherTPM() async throws {
        let (first, second) = (try await SoftwareTPM(), try await SoftwareTPM())
        let random = SystemRandomSource()
        let key = try await KeyStore(.tpm, tpm: first.path, random: random).makeSigningKey()
        await #expect(throws: AuthenticatorStoreError.locked) {
            try await KeyStore(.tpm, tpm: second.path, random: random).sign([1], with: key)
        }
    }
}
