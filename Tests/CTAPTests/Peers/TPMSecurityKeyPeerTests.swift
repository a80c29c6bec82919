// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Foundation
import Primitives
import Support
import Testing

/// The store's key in a TPM: Debian's swtpm.
@Suite(
    .enabled(if: PeerProgram.exists("/usr/bin/swtpm"), "swtpm is not installed"),
    .timeLimit(.minutes(1)))
struct TPMSecurityKeyPeerTests {
    private let folder = TestFolder()
    private let random = SeededRandom(seed: 31)

    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    @Test("A key sealed by a TPM is opened by it")
    func roundTrip() async throws {
        let tpm = try await SoftwareTPM()
        let (key, description) = try TPMVault(path: tpm.path).create(random: random)
        let opened = try TPMVault(path: tpm.path).open(description)
        #expect(bytes(opened) == bytes(key))
        #expect(description.firstRange(of: bytes(key)) == nil)
    }

    @Test("Another TPM, or a changed description, does not open it")
    func foreign() async throws {
        let (tpm, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let (_, description) = try TPMVault(path: tpm.path).create(random: random)
        #expect(throws: AuthenticatorStoreError.locked) {
            try TPMVault(path: other.path).open(description)
        }
        var changed = description
        changed[40] ^= 1
        for wrong in [changed, [0xA0], []] {
            #expect(throws: AuthenticatorStoreError.locked) {
                try TPMVault(path: tpm.path).open(wrong)
            }
        }
    }

    @Test("A software key lives in a file that only its TPM opens")
    func platformKey() async throws {
        let tpm = try await SoftwareTPM()
        let path = folder.path("key")
        func key(_ seed: UInt64) throws -> TestKey {
            let vault = TPMVault(path: tpm.path)
            return try TestKey(
                store: SealedFileStore(path: path, vault: vault, random: random), seed: seed)
        }
        do { _ = try await key(1).make(TestKey.creation(discoverable: true)) }
        _ = try await key(2).get(TestKey.assertion())
    }

    @Test("What is no TPM is refused")
    func nonsense() throws {
        let file = folder.path("no-tpm")
        #expect(throws: AuthenticatorStoreError.self) {
            try TPMVault(path: file).create(random: random)
        }
        try Data().write(to: URL(filePath: file))
        #expect(throws: AuthenticatorStoreError.tpmProtocol) {
            try TPMVault(path: file).create(random: random)
        }
    }
}
