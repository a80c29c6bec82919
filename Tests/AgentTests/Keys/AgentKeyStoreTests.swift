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
import TPM
import Testing
import WebAuthn

@Suite struct AgentKeyStoreTests {
    /// Debian's program; a machine without it cannot play a TPM.
    static let hasTPM = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")

    @Test("Keys in the sealed file sign and agree")
    func file() async throws {
        try await check(AgentKeyStore(.file, random: SystemRandomSource()))
    }

    @Test("Keys in a TPM sign and agree", .enabled(if: hasTPM, "needs swtpm"))
    func tpm() async throws {
        let tpm = try await SoftwareTPM()
        try await check(AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource()))
    }

    @Test(
        "Keys on a token sign and agree",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func token() async throws { try await check(try await Self.onToken(SharedTokens.machine)) }

    /// A store on one of the tokens that the tests share.
    static func onToken(
        _ label: String, pin: String = SoftwareTokens.pin
    ) async throws -> AgentKeyStore {
        _ = try await SharedTokens.ready
        return AgentKeyStore(
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

    @Test("A key store on an unnamed token is an error, not a fallback to a file")
    func noToken() async throws {
        let store = AgentKeyStore(.pkcs11, random: SystemRandomSource())
        await #expect(throws: KeyStoreError.self) { try await store.makeSigningKey() }
        await #expect(throws: KeyStoreError.self) { try await store.makeAgreementKey() }
    }

    private func check(_ store: AgentKeyStore) async throws {
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

    // MARK: Attestation

    @Test(
        "A TPM says of a key that it holds it, by a key that says nothing else",
        .enabled(if: hasTPM, "needs swtpm"))
    func attestation() async throws {
        let tpm = try await SoftwareTPM()
        let store = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        let key = try await store.makeSigningKey()
        let voucher = try #require(try await store.makeAttestationKey())
        let challenge = [UInt8](repeating: 7, count: 32)
        let said = try await store.certify(key, with: voucher, challenge: challenge)
        let area = try TPMPublicArea(said.publicArea[...])
        let info = try TPMAttestationData(said.certifyInfo[...])
        #expect(info.qualifyingData.elementsEqual(challenge))
        #expect(info.name.elementsEqual(try #require(area.name())))
        #expect(area.publicKey?.x963 == key.publicKey.x963)
        let point = try #require(voucher.publicKey.x963)
        let verifier = try P256.Signing.PublicKey(x963Representation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: said.signature)
        #expect(verifier.isValidSignature(signature, for: said.certifyInfo))
        await #expect(throws: AuthenticatorStoreError.self) {
            try await store.sign([1], with: voucher)
        }
        // Another TPM knows neither.
        let other = AgentKeyStore(
            .tpm, tpm: try await SoftwareTPM().path, random: SystemRandomSource())
        await #expect(throws: AuthenticatorStoreError.self) {
            try await other.certify(key, with: voucher, challenge: challenge)
        }
    }

    @Test(
        "A TPM says what its registers hold, by the same key and for one challenge",
        .enabled(if: hasTPM, "needs swtpm"))
    func quote() async throws {
        let tpm = try await SoftwareTPM()
        let store = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        let voucher = try #require(try await store.makeAttestationKey())
        let challenge = [UInt8](repeating: 7, count: 32)
        let said = try #require(try await store.quote(with: voucher, challenge: challenge))
        let data = try TPMQuoteData(said.quoted[...])
        #expect(data.head.qualifyingData.elementsEqual(challenge))
        #expect(data.selections.map(\.bank) == [0x000B])
        #expect(data.selections.map(\.indexes) == [Array(0..<24)])
        #expect(said.registers.count == 24)
        let values = said.registers.sorted { $0.key < $1.key }.flatMap(\.value)
        #expect(data.digest.elementsEqual(SHA256.hash(data: values)))
        let point = try #require(voucher.publicKey.x963)
        let verifier = try P256.Signing.PublicKey(x963Representation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: said.signature)
        #expect(verifier.isValidSignature(signature, for: said.quoted))
        let file = AgentKeyStore(.file, random: SystemRandomSource())
        let none = try await file.quote(with: try await file.makeSigningKey(), challenge: challenge)
        #expect(none == nil)
    }

    @Test("Without a TPM a key has no attestation")
    func noAttestation() async throws {
        let store = AgentKeyStore(.file, random: SystemRandomSource())
        #expect(try await store.makeAttestationKey() == nil)
        let key = try await store.makeSigningKey()
        await #expect(throws: KeyStoreError.self) {
            try await store.certify(key, with: key, challenge: [])
        }
    }

    // MARK: Behind a PIN

    @Test("A key in a file can require a PIN") func filePIN() async throws {
        try await checkPIN(AgentKeyStore(.file, random: SystemRandomSource()))
    }

    @Test(
        "A key on a token can require a PIN of the person",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func tokenPIN() async throws {
        try await checkPIN(try await Self.onToken(SharedTokens.machine))
    }

    @Test(
        "In a TPM a PIN is the key's own, and the TPM counts wrong ones",
        .enabled(if: hasTPM, "needs swtpm"))
    func tpmPIN() async throws {
        let tpm = try await SoftwareTPM()
        let store = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        let key = try await checkPIN(store)
        var answers: [KeyPINError] = []
        for _ in 0..<40 where answers.last != .tpmLocked {
            let answer = await #expect(throws: KeyPINError.self) {
                try await store.sign([1], with: key, pin: Secret("wrong"))
            }
            if let answer { answers.append(answer) }
        }
        #expect(answers.last == .tpmLocked)
        // Nor is the right one heard now, and keys without a PIN sign as before.
        await #expect(throws: KeyPINError.tpmLocked) {
            try await store.sign([1], with: key, pin: Secret("314159"))
        }
        try await check(store)
    }

    /// One wrong PIN is among it.
    @discardableResult
    private func checkPIN(_ store: AgentKeyStore) async throws -> AgentKey {
        let key = try await store.makeSigningKey(pin: Secret("314159"))
        let message = Array("message".utf8)
        let signature = try await store.sign(message, with: key, pin: Secret("314159"))
        let point = try #require(key.publicKey.x963)
        let verifier = try P256.Signing.PublicKey(x963Representation: point)
        #expect(
            verifier.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message))
        await #expect(throws: KeyPINError.incorrect) {
            try await store.sign(message, with: key, pin: Secret("314158"))
        }
        await #expect(throws: KeyPINError.needed) { try await store.sign(message, with: key) }
        return key
    }

    @Test("A TPM that is away is an error, never a key in a file")
    func away() async throws {
        let store = AgentKeyStore(.tpm, tpm: "/nowhere/tpm", random: SystemRandomSource())
        await #expect(throws: AuthenticatorStoreError.self) { try await store.makeSigningKey() }
        await #expect(throws: AuthenticatorStoreError.self) { try await store.makeAgreementKey() }
    }

    @Test("A key of one TPM is of no use to another", .enabled(if: hasTPM, "needs swtpm"))
    func otherTPM() async throws {
        let (first, second) = (try await SoftwareTPM(), try await SoftwareTPM())
        let random = SystemRandomSource()
        let key = try await AgentKeyStore(.tpm, tpm: first.path, random: random).makeSigningKey()
        await #expect(throws: AuthenticatorStoreError.locked) {
            try await AgentKeyStore(.tpm, tpm: second.path, random: random).sign([1], with: key)
        }
    }
}
