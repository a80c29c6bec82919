// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Foundation
import PasswordHashing
import Platform
import Primitives
import Support
import Synchronization
import Testing

@Suite struct AuthenticatorStoreTests {
    private let folder = TestFolder()
    private let random = SeededRandom(seed: 21)
    private let cheap = Argon2Parameters(memory: 64, iterations: 1, lanes: 1)

    private var path: String { folder.path("key.store") }

    private func store(on disk: any Disk = SystemDisk()) throws -> SealedFileStore {
        try store(KeyFileProtector(path: folder.path("key.key")), on: disk)
    }

    private func store(
        _ vault: some KeyProtector, on disk: any Disk = SystemDisk()
    ) throws -> SealedFileStore {
        try SealedFileStore(path: path, vault: vault, random: random, disk: disk)
    }

    private func change(_ bytes: (inout [UInt8]) -> Void) throws {
        var content = Array(try Data(contentsOf: URL(filePath: path)))
        bytes(&content)
        try Data(content).write(to: URL(filePath: path))
    }

    @Test("Everything is there again after the power was away")
    func reopening() async throws {
        var made: [UInt8] = []
        do {
            let key = try TestKey(store: try store())
            _ = try await key.make(TestKey.creation(discoverable: true))
            let data = try await key.make(TestKey.creation()).authenticatorData
            made = Array(data.dropFirst(55).prefix(Int(data[53]) << 8 | Int(data[54])))
            try await key.setPIN("1234")
            await #expect(throws: CTAPStatus.pinInvalid) { try await key.token("0000") }
        }
        let key = try TestKey(store: try store(), seed: 2)
        #expect(try await key.retries() == 7)
        #expect(try await key.get(TestKey.assertion()).user?.id == [1])
        _ = try await key.get(TestKey.assertion(allow: [made]))
    }

    @Test("The file contains no plaintext of the state, and only its owner may read it")
    func encrypted() async throws {
        let key = try TestKey(store: try store())
        _ = try await key.make(TestKey.creation("very-secret.example", discoverable: true))
        let content = try Data(contentsOf: URL(filePath: path))
        #expect(content.range(of: Data("very-secret".utf8)) == nil)
        #expect(content.range(of: Data("user1".utf8)) == nil)
        for file in ["key.store", "key.key", "key.store.lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(file))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
    }

    @Test("A changed, cut or foreign file is refused")
    func tampered() async throws {
        _ = try TestKey(store: try store())
        let whole = try Data(contentsOf: URL(filePath: path))
        for index in [0, 4, 5, 7, 12, 40, whole.count - 1] {
            try change { $0[index] ^= 1 }
            #expect(throws: AuthenticatorStoreError.self, "byte \(index)") {
                _ = try TestKey(store: try store())
            }
            try whole.write(to: URL(filePath: path))
        }
        for length in [0, 4, 7, 30, whole.count - 1] {
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(throws: AuthenticatorStoreError.self, "\(length) bytes") {
                _ = try TestKey(store: try store())
            }
        }
    }

    @Test("Attack 40: two keys never count in one store")
    func locked() throws {
        let first = try store()
        #expect(throws: AuthenticatorStoreError.inUse) { try store() }
        withExtendedLifetime(first) {}
    }

    @Test("A wrong passphrase, a wrong key file and an exposed one are refused")
    func vaults() throws {
        let right = PassphraseKeyProtector(Secret("right"), parameters: cheap)
        _ = try TestKey(store: try store(right))
        _ = try TestKey(store: try store(right))
        #expect(throws: AuthenticatorStoreError.locked) {
            _ = try TestKey(store: try store(PassphraseKeyProtector(Secret("wrong"))))
        }
        #expect(throws: AuthenticatorStoreError.self) { _ = try TestKey(store: try store()) }
        try FileManager.default.removeItem(atPath: path)
        _ = try TestKey(store: try store())
        let keyFile = folder.path("key.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keyFile)
        #expect(throws: AuthenticatorStoreError.exposedKeyFile) { try store() }
        try Data(repeating: 1, count: 32).write(to: URL(filePath: keyFile))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
        #expect(throws: AuthenticatorStoreError.locked) { try store() }
    }

    @Test("A passphrase store with absurd costs is refused, not computed")
    func absurdCosts() throws {
        let vault = PassphraseKeyProtector(Secret("right"), parameters: cheap)
        let description = try vault.create(random: random).description
        let memory = try #require(description.firstIndex(of: 0x40))
        var absurd = description
        absurd.replaceSubrange((memory - 1)...memory, with: [0x1A, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: AuthenticatorStoreError.derivation) { try vault.open(absurd) }
        #expect(throws: AuthenticatorStoreError.locked) { try vault.open([0xA0]) }
        #expect(throws: AuthenticatorStoreError.locked) { try vault.open([]) }
    }

    @Test(
        "Attack 41: power lost at any step of a write leaves the old state or the new one",
        arguments: StoppedDisk.Step.allCases)
    func powerLoss(_ step: StoppedDisk.Step) async throws {
        let power = StoppedDisk()
        do {
            let key = try TestKey(store: try store(on: power))
            _ = try await key.make(TestKey.creation(discoverable: true))
            power.strike(at: step)
            await #expect(throws: CTAPStatus.other) {
                try await key.make(TestKey.creation(user: 2, discoverable: true))
            }
            // The content of the file is unknown now, so the key refuses every command.
            await #expect(throws: CTAPStatus.other) { try await key.get(TestKey.assertion()) }
        }
        let key = try TestKey(store: try store(), seed: 9)
        let found = try await key.get(TestKey.assertion())
        #expect(found.numberOfCredentials ?? 1 == (step >= .renamed ? 2 : 1))
    }

    @Test(
        "Attack 37: power lost while a PIN is checked never gives a try back",
        arguments: [StoppedDisk.Step.renamed, .folderSynchronized])
    func pinTry(_ step: StoppedDisk.Step) async throws {
        let power = StoppedDisk()
        do {
            let key = try TestKey(store: try store(on: power))
            try await key.setPIN("1234")
            power.strike(at: step)
            // The response must not reveal whether the PIN is right before the attempt is saved.
            await #expect(throws: CTAPStatus.other) { try await key.token("1234") }
        }
        #expect(try await TestKey(store: try store(), seed: 9).retries() == 7)
    }

    @Test("Attack 37: a try that cannot be written down is not made")
    func unwritableTry() async throws {
        let power = StoppedDisk()
        let key = try TestKey(store: try store(on: power))
        try await key.setPIN("1234")
        power.strike(at: .created)
        for _ in 0..<3 {
            await #expect(throws: CTAPStatus.other) { try await key.token("1234") }
        }
    }

    @Test("Attack 41: the sign counter is durable before the signature exists")
    func counter() async throws {
        var last: [UInt8] = []
        do {
            let key = try TestKey(store: try store())
            _ = try await key.make(TestKey.creation(discoverable: true))
            last = try await key.get(TestKey.assertion()).authenticatorData
        }
        let key = try TestKey(store: try store(), seed: 9)
        let next = try await key.get(TestKey.assertion()).authenticatorData
        #expect(next[33..<37].lexicographicallyPrecedes(last[33..<37]) == false)
        #expect(next[33..<37] != last[33..<37])
    }
}
