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
        try await MasterKeyCheck(store: store, path: folder.path(name))
            .secrets(SeededRandom(seed: seed))
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
                    try? await MasterKeyCheck(store: store, path: path + "\(number).key")
                        .secrets().fingerprint
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
                    try await MasterKeyCheck(store: store, path: path).secrets().fingerprint
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
        #expect(try MasterKey.read(folder.path("missing.key")) == nil)
        _ = try MasterKey.create(folder.path("second.key"), SeededRandom(seed: 2).bytes(32))
        let other = await refusal("second.key", store)
        #expect(other?.contains("--master-key-file") == true)
        // The file of the operator stays.
        #expect(try MasterKey.read(folder.path("second.key")) != nil)
    }

    @Test(
        "A database of a version without fingerprints records the key that opens it, and no other")
    func older() async throws {
        let store = try await SQLiteStore.temporary()
        let provider = try await TestProvider.empty(store: store)
        try await ProviderBootstrap.ensureDefaults(provider)
        _ = try await provider.keys.jwks(of: #require(try await provider.tenant(named: "default")))
        _ = try MasterKey.create(folder.path("other.key"), SeededRandom(seed: 2).bytes(32))
        #expect(await refusal("other.key", store)?.contains("--master-key-file") == true)
        #expect(try await store.maintenance.masterKeyFingerprint() == nil)
        let right = Base64URL.encodeBytes([UInt8](repeating: 7, count: 32))
        try SecretFile.replace(folder.path("right.key"), right)
        let secrets = try await secrets("right.key", store)
        #expect(secrets.fingerprint == provider.secrets.fingerprint)
        #expect(try await store.maintenance.masterKeyFingerprint() == secrets.fingerprint)
    }
}
