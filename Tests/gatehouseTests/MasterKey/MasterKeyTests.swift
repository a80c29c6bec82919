// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import IdentityProvider
import Platform
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import StorageSQLite
import Support
import Testing

@testable import gatehouse

/// The master key of processes that share a database.
@Suite struct MasterKeyTests {
    private let folder = TestFolder()

    private func secrets(
        _ name: String, _ store: any ProviderStore, seed: UInt64 = 1
    ) async throws -> DerivedKeys {
        try await MasterKeyCheck(store: store, file: MasterKeyFile(path: folder.path(name)))
            .secrets(SeededRandom(seed: seed))
    }

    private func create(_ name: String, seed: UInt64) throws {
        _ = try MasterKeyFile(path: folder.path(name)).create(SeededRandom(seed: seed))
    }

    private func refusal(_ name: String, _ store: any ProviderStore) async -> String? {
        do {
            _ = try await secrets(name, store, seed: 2)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("Attack 92: of processes that start at once with a key each, one serves")
    func race() async throws {
        let store = try await SQLiteStore.temporary()
        let path = folder.path("")
        let served = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try? await MasterKeyCheck(
                        store: store, file: MasterKeyFile(path: path + "\(number).key")
                    ).secrets().fingerprint
                }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
        }
        #expect(served.compactMap(\.self).count == 1)
        #expect(
            try await store.maintenance.masterKeyFingerprint() == served.compactMap(\.self).first)
        // Those that were refused leave no key that a later start would use.
        let files = (0..<8).filter { FileSystem.exists(path + "\($0).key") }
        #expect(files.count == 1)
    }

    @Test("Processes with the same file start at once")
    func shared() async throws {
        let store = try await SQLiteStore.temporary()
        let path = folder.path("shared.key")
        let served = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await MasterKeyCheck(store: store, file: MasterKeyFile(path: path))
                        .secrets().fingerprint
                }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
        }
        #expect(Set(served).count == 1 && served.count == 8)
    }

    @Test("Attack 92: another master key is refused, and the message names the remedy")
    func other() async throws {
        let store = try await SQLiteStore.temporary()
        _ = try await secrets("first.key", store)
        let missing = await refusal("missing.key", store)
        #expect(missing?.contains("--master-key-file") == true)
        #expect(!FileSystem.exists(folder.path("missing.key")))
        try create("second.key", seed: 2)
        let other = await refusal("second.key", store)
        #expect(other?.contains("--master-key-file") == true)
        // The file of the operator stays.
        #expect(FileSystem.exists(folder.path("second.key")))
    }

    @Test(
        "A database of a version without fingerprints records the key that opens it, and no other")
    func older() async throws {
        let store = try await SQLiteStore.temporary()
        let provider = try await TestProvider.empty(store: store)
        try await ProviderBootstrap.ensureDefaults(provider)
        _ = try await provider.keys.jwks(of: #require(try await provider.tenant(named: "default")))
        try create("other.key", seed: 2)
        #expect(await refusal("other.key", store)?.contains("--master-key-file") == true)
        #expect(try await store.maintenance.masterKeyFingerprint() == nil)
        let right = Base64URL.encodeBytes([UInt8](repeating: 7, count: 32))
        try SecretFile.replace(folder.path("right.key"), right)
        let secrets = try await secrets("right.key", store)
        #expect(secrets.fingerprint == provider.secrets.fingerprint)
        #expect(try await store.maintenance.masterKeyFingerprint() == secrets.fingerprint)
    }

    @Test("A master key is made once and read back")
    func once() throws {
        let file = MasterKeyFile(path: folder.path("master.key"))
        #expect(try file.read() == nil)
        let (key, made) = try file.create(SeededRandom(seed: 1))
        #expect(made != nil && key.reveal().count == 32)
        let (again, madeAgain) = try file.create(SeededRandom(seed: 2))
        #expect(again == key && madeAgain == nil)
        #expect(try file.read() == key)
    }

    @Test("Attack 48: what is no master key is refused", arguments: ["", "short", "äöü", "!!!!"])
    func noKey(text: String) throws {
        let path = folder.path("master.key")
        try SecretFile.replace(path, Array(text.utf8))
        #expect(throws: CommandError.self) { try MasterKeyFile(path: path).read() }
    }
}
