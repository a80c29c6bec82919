// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Foundation
import Primitives
import Support
import Testing
import WebAuthn

/// The store's key in a TPM: Debian's swtpm.
@Suite(
    .enabled(if: PeerProgram.exists("/usr/bin/swtpm"), "swtpm is not installed"),
    .timeLimit(.minutes(5)))
struct TPMSecurityKeyPeerTests {
    private let folder = TestFolder()
    private let random = SeededRandom(seed: 31)

    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    @Test("A key sealed by a TPM is opened by it")
    func roundTrip() async throws {
        let tpm = try await SoftwareTPM()
        let (key, description) = try TPMKeyProtector(path: tpm.path).create(random: random)
        let opened = try TPMKeyProtector(path: tpm.path).open(description)
        #expect(bytes(opened) == bytes(key))
        #expect(description.firstRange(of: bytes(key)) == nil)
    }

    @Test("A program started in the middle of a conversation does not keep the TPM to itself")
    func inheritance() async throws {
        let tpm = try await SoftwareTPM()
        let vault = TPMKeyProtector(path: tpm.path)
        // The last draw, for the index of the counter, is made while the connection is open.
        let draws = StartingRandom(source: random)
        let (key, description) = try vault.create(random: draws)
        #expect(draws.isRunning)
        #expect(bytes(try vault.open(description)) == bytes(key))
    }

    @Test("Another TPM, or a changed description, does not open it")
    func foreign() async throws {
        let (tpm, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let (_, description) = try TPMKeyProtector(path: tpm.path).create(random: random)
        #expect(throws: AuthenticatorStoreError.locked) {
            try TPMKeyProtector(path: other.path).open(description)
        }
        var changed = description
        changed[40] ^= 1
        for wrong in [changed, [0xA0], []] {
            #expect(throws: AuthenticatorStoreError.locked) {
                try TPMKeyProtector(path: tpm.path).open(wrong)
            }
        }
    }

    @Test("A software key lives in a file that only its TPM opens")
    func platformKey() async throws {
        let tpm = try await SoftwareTPM()
        let path = folder.path("key")
        func key(_ seed: UInt64) throws -> TestKey {
            let vault = TPMKeyProtector(path: tpm.path)
            return try TestKey(
                store: SealedFileStore(path: path, vault: vault, random: random), seed: seed)
        }
        do { _ = try await key(1).make(TestKey.creation(discoverable: true)) }
        _ = try await key(2).get(TestKey.assertion())
    }

    // MARK: The counter

    /// A key in a file whose key and counter are in the TPM.
    private func key(_ tpm: SoftwareTPM, at path: String, seed: UInt64 = 1) throws -> TestKey {
        try TestKey(
            store: SealedFileStore(
                path: path, vault: TPMKeyProtector(path: tpm.path), random: random),
            seed: seed)
    }

    @Test("Attack 37: an old copy of the file does not bring back the tries of a PIN")
    func rolledBack() async throws {
        let tpm = try await SoftwareTPM()
        let path = folder.path("key")
        do { try await key(tpm, at: path).setPIN("1234") }
        let old = try Data(contentsOf: URL(filePath: path))
        do {
            let key = try key(tpm, at: path, seed: 2)
            await #expect(throws: CTAPStatus.pinInvalid) { try await key.token("0000") }
        }
        let new = try Data(contentsOf: URL(filePath: path))
        try old.write(to: URL(filePath: path))
        #expect(throws: AuthenticatorStoreError.rolledBack) { try key(tpm, at: path, seed: 3) }
        try new.write(to: URL(filePath: path))
        #expect(try await key(tpm, at: path, seed: 4).retries() == 7)
    }

    @Test("Attack 37: a counter that is taken away does not come back, not even at the same index")
    func counterRemoved() async throws {
        let (tpm, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let (key, description) = try TPMKeyProtector(path: tpm.path).create(random: random)
        let counter = try #require(TPMKeyProtector(path: tpm.path).counter(description, key: key))
        let before = try counter.value()
        try counter.increment()
        #expect(try counter.value() == before + 1)
        let foreign = try #require(TPMKeyProtector(path: other.path).counter(description, key: key))
        #expect(throws: AuthenticatorStoreError.rolledBack) { try foreign.value() }
        let stranger = SymmetricKey(data: random.bytes(32))
        let guessed = try #require(
            TPMKeyProtector(path: tpm.path).counter(description, key: stranger))
        #expect(throws: AuthenticatorStoreError.self) { try guessed.increment() }
        #expect(try counter.value() == before + 1)
    }

    // MARK: Keys of credentials

    @Test("Credentials are made in the TPM, sign there, and are of no use elsewhere")
    func credentialKeys() async throws {
        let (tpm, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let keys = TPMCredentialKeys(path: tpm.path)
        let made = try keys.makeKey()
        let signature = try keys.sign([1, 2, 3], with: made)
        let key = try P256.Signing.PublicKey(rawRepresentation: made.point)
        #expect(
            key.isValidSignature(
                try P256.Signing.ECDSASignature(derRepresentation: signature),
                for: Data([1, 2, 3])))
        #expect(throws: AuthenticatorStoreError.locked) {
            try TPMCredentialKeys(path: other.path).sign([1], with: made)
        }
        let broken = HardwareKey(point: made.point, handle: [1])
        #expect(throws: AuthenticatorStoreError.damaged) { try keys.sign([1], with: broken) }
        #expect(try keys.makeKey() != made)
    }

    @Test(
        "A software key whose private keys are in the TPM registers and signs in, found by itself or by id, after a restart too",
        arguments: [true, false])
    func ceremonies(_ discoverable: Bool) async throws {
        let tpm = try await SoftwareTPM()
        let path = folder.path("key")
        let hardware = TPMCredentialKeys(path: tpm.path)
        func authenticator() throws -> SoftwareAuthenticator {
            try SoftwareAuthenticator(
                store: SealedFileStore(
                    path: path, vault: TPMKeyProtector(path: tpm.path), random: random),
                hardware: hardware, gesture: AutomaticGesture(), clock: ManualClock(),
                random: random)
        }
        func client(_ key: SoftwareAuthenticator) -> SecurityKeyClient {
            SecurityKeyClient(
                source: FixedAuthenticators([TestDevice("key", TestTransport(key))]),
                interaction: TestPerson(), random: random, delay: TestDelay())
        }
        var id: [UInt8] = []
        do {
            var options = ClientFixture.creation()
            options.residentKey = discoverable ? .required : .discouraged
            // The client checks the self attestation, and so the signature.
            options.attestation = .direct
            let made = try await client(authenticator())
                .register(options, caller: ClientFixture.caller)
            id = made.credentialId
        }
        #expect(discoverable || id.count > 128)
        var request = ClientFixture.request()
        if !discoverable { request.allowCredentials = [CTAPCredentialDescriptor(id: id)] }
        let assertion = try await client(authenticator())
            .signIn(request, caller: ClientFixture.caller)
        #expect(assertion.credentialId == id)
        // Nothing that signs is in the file, even for who can open it.
        let other = try await SoftwareTPM()
        let thief = try SoftwareAuthenticator(
            store: SealedFileStore(
                path: path, vault: TPMKeyProtector(path: tpm.path), random: random),
            hardware: TPMCredentialKeys(path: other.path), gesture: AutomaticGesture(),
            clock: ManualClock(), random: random)
        await #expect(throws: SecurityKeyError.self) {
            _ = try await client(thief).signIn(request, caller: ClientFixture.caller)
        }
    }

    @Test("A key with a TPM offers what the TPM can, and no U2F, whose handles are too short")
    func capabilities() async throws {
        let tpm = try await SoftwareTPM()
        let key = try TestKey(hardware: TPMCredentialKeys(path: tpm.path))
        let info = try await key.info()
        #expect(info.algorithms?.map(\.algorithm) == [-7])
        #expect(!info.versions.contains("U2F_V2"))
        await #expect(throws: CTAPStatus.unsupportedAlgorithm) {
            try await key.make(TestKey.creation(algorithms: [-8]))
        }
        _ = try await key.make(TestKey.creation(algorithms: [-8, -7]))
    }

    @Test("Without its TPM a key makes nothing, and signs nothing")
    func noTPM() async throws {
        let key = try TestKey(hardware: TPMCredentialKeys(path: folder.path("nowhere")))
        await #expect(throws: CTAPStatus.other) { try await key.make(TestKey.creation()) }
    }

    @Test("What is no TPM is refused")
    func nonsense() throws {
        let file = folder.path("no-tpm")
        #expect(throws: AuthenticatorStoreError.self) {
            try TPMKeyProtector(path: file).create(random: random)
        }
        try Data().write(to: URL(filePath: file))
        #expect(throws: AuthenticatorStoreError.system(call: "open", code: ENOTTY)) {
            try TPMKeyProtector(path: file).create(random: random)
        }
    }
}
