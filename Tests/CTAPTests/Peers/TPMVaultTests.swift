// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Foundation
import Primitives
import Support
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The store's key in a TPM: Debian's swtpm.
@Suite(
    .enabled(if: PeerProgram.exists("/usr/bin/swtpm"), "swtpm is not installed"),
    .timeLimit(.minutes(1)))
struct SecurityKeyPeerTestsOfTPM {
    private let folder = TestFolder()
    private let random = SeededRandom(seed: 31)

    /// A software TPM; it ends with its only client, so each use starts it again on its state.
    private func tpm(_ name: String) async throws -> String {
        let state = folder.path(name)
        try? FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true)
        let socket = "\(state)/socket"
        try? FileManager.default.removeItem(atPath: socket)
        let started = try await PeerProgram.run([
            "/usr/bin/swtpm", "socket", "--tpm2", "--daemon", "--tpmstate", "dir=\(state)",
            "--server", "type=unixio,path=\(socket)", "--ctrl",
            "type=unixio,path=\(state)/control", "--flags", "startup-clear",
        ])
        try #require(started.status == 0, "\(started.errors)")
        return socket
    }

    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    @Test("A key sealed by a TPM is opened by it, after it was started anew too")
    func roundTrip() async throws {
        let (key, description) = try TPMVault(path: try await tpm("one")).create(random: random)
        let opened = try TPMVault(path: try await tpm("one")).open(description)
        #expect(bytes(opened) == bytes(key))
        #expect(description.firstRange(of: bytes(key)) == nil)
    }

    @Test("Another TPM, or a changed description, does not open it")
    func foreign() async throws {
        let (_, description) = try TPMVault(path: try await tpm("one")).create(random: random)
        let other = try await tpm("two")
        #expect(throws: AuthenticatorStoreError.locked) {
            try TPMVault(path: other).open(description)
        }
        var changed = description
        changed[40] ^= 1
        let same = try await tpm("one")
        #expect(throws: AuthenticatorStoreError.locked) {
            try TPMVault(path: same).open(changed)
        }
        #expect(throws: AuthenticatorStoreError.locked) { try TPMVault(path: same).open([0xA0]) }
    }

    @Test("A software key lives in a file that only its TPM opens")
    func platformKey() async throws {
        let path = folder.path("key")
        do {
            let store = try SealedFileStore(
                path: path, vault: TPMVault(path: try await tpm("one")), random: random)
            _ = try await TestKey(store: store).make(TestKey.creation(discoverable: true))
        }
        let store = try SealedFileStore(
            path: path, vault: TPMVault(path: try await tpm("one")), random: random)
        _ = try await TestKey(store: store, seed: 2).get(TestKey.assertion())
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
