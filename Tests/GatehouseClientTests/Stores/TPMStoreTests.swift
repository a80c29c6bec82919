// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Primitives
import Support
import TPM
import Testing
import UserClient

/// Stores whose key, and keys that, are in a TPM: Debian's swtpm. A machine without it cannot play
/// one.
@Suite(
    "Stores with a TPM",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm"),
        "swtpm is not installed"))
struct TPMStoreTests {
    private let folder = TestFolder()
    private let tpm: SoftwareTPM
    private let name = RecordName(testing: "a")
    private var place: String { folder.path("store") }

    init() async throws { tpm = try await SoftwareTPM() }

    private func isDamage(_ error: any Error) -> Bool {
        if case StoreError.damaged = error { true } else { false }
    }

    private func isUnavailable(_ error: any Error) -> Bool {
        if case StoreError.unavailable = error { true } else { false }
    }

    @Test("The folder that a TPM seals passes the kit", arguments: SecureStoreConformance.cases)
    func records(_ kit: SecureStoreConformance.Case) async throws {
        let (place, path) = (place, tpm.path)
        try await kit.run { FileSecureStore(directory: place, sealedWith: .tpm(path: path)) }
        #expect(try OwnerOnlyDirectory(place).read("store.key") == nil)
    }

    @Test("It bears a full disk and changed files", arguments: SecureStoreConformance.faultCases)
    func faults(_ kit: SecureStoreConformance.FaultCase) async throws {
        let (harmed, path) = (HarmedFolder(place), tpm.path)
        try await kit.run({ harmed.store(.tpm(path: path)) }, harmed.faults)
    }

    @Test("Keys in a TPM pass the kit", arguments: KeyStoreConformance.cases)
    func keys(_ kit: KeyStoreConformance.Case) async throws {
        let (place, path) = (folder.path("keys"), tpm.path)
        try await kit.run { TPMKeyStore(directory: place, tpm: path) }
    }

    @Test(
        "A machine with a TPM keeps its keys there, and passes the kit",
        arguments: KeyStoreConformance.cases)
    func machineKeys(_ kit: KeyStoreConformance.Case) async throws {
        let (place, path) = (folder.path("keys"), tpm.path)
        try await kit.run {
            DefaultKeyStore(directory: place, sealedWith: .besideRecords, tpm: path)
        }
        #expect(try OwnerOnlyDirectory(place).read("store.key") == nil)
    }

    @Test(
        "A machine without one keeps them in files, and passes the kit",
        arguments: KeyStoreConformance.cases)
    func machineWithout(_ kit: KeyStoreConformance.Case) async throws {
        let place = folder.path("keys")
        try await kit.run {
            DefaultKeyStore(directory: place, sealedWith: .besideRecords, tpm: "/nowhere")
        }
    }

    @Test("Five processes that count in one record miss none")
    func processes() async throws {
        #expect(try await StoreProcesses.count(in: place, sealedWith: tpm.path) == 100)
    }

    @Test("A copied folder is worth nothing on another machine, and nothing without its TPM")
    func copied() async throws {
        let other = try await SoftwareTPM()
        let here = FileSecureStore(directory: place, sealedWith: .tpm(path: tpm.path))
        try await here.write(Array("a refresh token".utf8), to: name)
        let there = FileSecureStore(directory: place, sealedWith: .tpm(path: other.path))
        await #expect(performing: { _ = try await there.read(name) }, throws: isDamage)
        await #expect(performing: { try await there.write([1], to: name) }, throws: isDamage)
        let without = FileSecureStore(directory: place, sealedWith: .tpm(path: "/nowhere"))
        await #expect(performing: { _ = try await without.read(name) }, throws: isUnavailable)
        let beside = FileSecureStore(directory: place, sealedWith: .besideRecords)
        await #expect(performing: { _ = try await beside.read(name) }, throws: isDamage)
        #expect(try await here.read(name) == Array("a refresh token".utf8))
        for file in try OwnerOnlyDirectory(place).names() {
            let bytes = try OwnerOnlyDirectory(place).read(file) ?? []
            #expect(!String(decoding: bytes, as: UTF8.self).contains("refresh"))
        }
    }

    @Test("A copied key signs nothing elsewhere, and is not replaced while its TPM is away")
    func copiedKey() async throws {
        let other = try await SoftwareTPM()
        let made = try await TPMKeyStore(directory: place, tpm: tpm.path).makeKey(name)
        #expect(made.isHardware)
        let sealed = try await made.seal([1], context: [])
        let copied = try #require(
            try await TPMKeyStore(directory: place, tpm: other.path).key(name))
        await #expect(performing: { _ = try await copied.signature(over: [1]) }, throws: isDamage)
        await #expect(
            performing: { _ = try await copied.open(sealed, context: []) }, throws: isDamage)
        let away = DefaultKeyStore(directory: place, tpm: "/nowhere")
        let key = try #require(try await away.key(name))
        #expect(key.publicKey == made.publicKey)
        await #expect(
            performing: { _ = try await key.signature(over: [1]) }, throws: isUnavailable)
    }

    @Test("What the TPM has sealed, and keys, that were changed or cut are damaged, not missing")
    func damaged() async throws {
        let store = FileSecureStore(directory: place, sealedWith: .tpm(path: tpm.path))
        try await store.write([1, 2, 3], to: name)
        let keys = TPMKeyStore(directory: place, tpm: tpm.path)
        _ = try await keys.makeKey(name)
        let files = OwnerOnlyDirectory(place)
        for file in ["store.tpm", "a.tpmkey"] {
            let good = try #require(try files.read(file))
            for bytes in [Array(good.dropLast()), [], good + [0]] {
                try files.replace(file, with: bytes)
                await #expect(
                    performing: {
                        if file == "store.tpm" { _ = try await store.read(name) }
                        _ = try await keys.key(name)
                    }, throws: isDamage)
            }
            try files.replace(file, with: good)
        }
        #expect(try await store.read(name) == [1, 2, 3])
        #expect(try await keys.key(name) != nil)
    }

    @Test("A folder keeps what it began with, whatever the machine has now")
    func keepsWhatItBegan() async throws {
        try await FileSecureStore(directory: place, sealedWith: .besideRecords)
            .write([1], to: name)
        let files = OwnerOnlyDirectory(place)
        let later = store(place, machine: tpm.path)
        #expect(try await later.read(name) == [1])
        try await later.write([2], to: name)
        #expect(try files.read("store.tpm") == nil)
        let fresh = folder.path("fresh")
        try await store(fresh, machine: tpm.path).write([3], to: name)
        #expect(try OwnerOnlyDirectory(fresh).read("store.key") == nil)
        let without = store(fresh, machine: "/nowhere")
        await #expect(performing: { _ = try await without.read(name) }, throws: isUnavailable)
    }

    @Test("A TPM that is there and fails is an error, and nothing is kept without it")
    func failing() async throws {
        // A file that may be used and is no device.
        let dead = folder.path("dead")
        try Data().write(to: URL(filePath: dead))
        let store = store(place, machine: dead)
        await #expect(
            performing: { try await store.write([1], to: name) }, throws: isUnavailable)
        let keys = DefaultKeyStore(
            directory: folder.path("keys"), sealedWith: .besideRecords, tpm: dead)
        await #expect(performing: { _ = try await keys.makeKey(name) }, throws: isUnavailable)
        #expect(try await keys.keyNames().isEmpty)
        #expect(try OwnerOnlyDirectory(place).read("store.key") == nil)
    }

    /// A store on a machine whose TPM is there.
    private func store(_ place: String, machine path: String) -> FileSecureStore {
        FileSecureStore(
            OwnerOnlyDirectory(place), sealedWith: .machine, random: SystemRandomSource(),
            machine: TPMDevice(path: path))
    }
}
