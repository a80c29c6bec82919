// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Platform
import Primitives
import Support
import Testing
import UserClient

/// Stores pass the kit, and keep their promises when the machine does not.
@Suite("Stores") struct StoreTests {
    private let folder = TestFolder()
    private let name = RecordName(testing: "a")

    @Test("The sealed folder passes the kit", arguments: SecureStoreConformance.cases)
    func sealedFolder(_ kit: SecureStoreConformance.Case) async throws {
        let place = folder.path("store")
        try await kit.run { FileSecureStore(directory: place, sealedWith: .besideRecords) }
    }

    @Test("Sealed as the machine can, it does so as well", arguments: SecureStoreConformance.cases)
    func machine(_ kit: SecureStoreConformance.Case) async throws {
        let place = folder.path("store")
        try await kit.run { FileSecureStore(directory: place) }
    }

    @Test("With a key from elsewhere as well", arguments: SecureStoreConformance.cases)
    func providedKey(_ kit: SecureStoreConformance.Case) async throws {
        let place = folder.path("store")
        try await kit.run {
            FileSecureStore(
                directory: place,
                sealedWith: .provided { [UInt8](repeating: 9, count: 32) })
        }
    }

    @Test("It bears a full disk and changed files", arguments: SecureStoreConformance.faultCases)
    func faults(_ kit: SecureStoreConformance.FaultCase) async throws {
        let harmed = HarmedFolder(folder.path("store"))
        try await kit.run({ harmed.store(.besideRecords) }, harmed.faults)
    }

    @Test("Keys in memory and in sealed files pass the kit", arguments: KeyStoreConformance.cases)
    func keyStores(_ kit: KeyStoreConformance.Case) async throws {
        let memory = InMemoryKeyStore()
        try await kit.run { memory }
        let place = folder.path("keys")
        try await kit.run { FileKeyStore(directory: place, sealedWith: .besideRecords) }
    }

    @Test("Five processes that count in one record miss none")
    func processes() async throws {
        let place = folder.path("store")
        #expect(try await StoreProcesses.count(in: place, sealedWith: "file") == 100)
    }

    @Test("Memory passes the kit", arguments: SecureStoreConformance.cases)
    func memory(_ kit: SecureStoreConformance.Case) async throws {
        let store = InMemorySecureStore()
        try await kit.run { store }
    }

    @Test(
        "Who waits for a lock can give up, and holds up nobody who comes after",
        .timeLimit(.minutes(1)))
    func givesUp() async throws {
        let place = folder.path("waiting")
        let stores: [any SecureStore] = [
            InMemorySecureStore(),
            FileSecureStore(directory: place, sealedWith: .besideRecords),
        ]
        for store in stores {
            let name = RecordName(testing: "a")
            let waited: Result<Void, any Error> = try await store.withLock(name) {
                let waiter = Task { try await store.withLock(name) {} }
                await Task.yield()
                waiter.cancel()
                return await waiter.result
            }
            #expect(throws: CancellationError.self) { try waited.get() }
            let free = try await store.withLock(name) { true }
            #expect(free)
            // Nothing has to be waited for: a cancelled task still takes it, and can tidy.
            let tidied = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.withLock(name) { true }
            }
            #expect(try await tidied.value)
        }
    }

    @Test("The kit finds a store that takes a failure for nothing")
    func kitFinds() async throws {
        struct Forgetful: SecureStore {
            func read(_ name: RecordName) async throws -> [UInt8]? { nil }
            func write(_ bytes: [UInt8], to name: RecordName) async throws {}
            func remove(_ name: RecordName) async throws {}
            func names() async throws -> [RecordName] { [] }
            func withLock<Value: Sendable>(
                _ name: RecordName, _ body: @Sendable () async throws -> Value
            ) async throws -> Value { try await body() }
        }
        var found = 0
        for kit in SecureStoreConformance.cases {
            do { try await kit.run { Forgetful() } } catch is SecureStoreConformance
                .ConformanceError
            {
                found += 1
            }
        }
        #expect(found >= 6)
    }

    @Test("Nothing of a record can be read in its file, and the files are their owner's")
    func sealed() async throws {
        let place = folder.path("store")
        let secret = Array("a refresh token".utf8)
        try await FileSecureStore(directory: place, sealedWith: .besideRecords)
            .write(secret, to: name)
        for file in ["a.sealed", "store.key"] {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(place)/\(file)")
            #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        let bytes = try #require(try OwnerOnlyDirectory(place).read("a.sealed"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("refresh"))
    }

    @Test("A record that was changed, cut, or put in another's place is damaged, not missing")
    func damaged() async throws {
        let place = folder.path("store")
        let store = FileSecureStore(directory: place, sealedWith: .besideRecords)
        let files = OwnerOnlyDirectory(place)
        try await store.write([1, 2, 3], to: name)
        try await store.write([4, 5, 6], to: RecordName(testing: "b"))
        let good = try #require(try files.read("a.sealed"))
        var flipped = good
        flipped[good.count - 1] ^= 1
        let other = try #require(try files.read("b.sealed"))
        for bytes in [flipped, Array(good.dropLast()), [], other] {
            try files.replace("a.sealed", with: bytes)
            await #expect { _ = try await store.read(name) } throws: { error in
                guard case StoreError.damaged = error else { return false }
                return true
            }
        }
        try files.replace("a.sealed", with: good)
        #expect(try await store.read(name) == [1, 2, 3])
        try files.remove("store.key")
        await #expect(throws: StoreError.self) { try await store.read(name) }
    }

    @Test("A full disk changes nothing: the old record is there, and no draft is left")
    func fullDisk() async throws {
        let place = folder.path("store")
        try await FileSecureStore(directory: place, sealedWith: .besideRecords)
            .write([1, 2, 3], to: name)
        let isFull = FullDisk()
        let store = FileSecureStore(
            OwnerOnlyDirectory(place, on: SystemDisk(write: isFull.write)),
            sealedWith: .besideRecords,
            random: SystemRandomSource())
        for room in [0, 1, 20] {
            isFull.leave(room)
            await #expect { try await store.write([9, 9, 9], to: name) } throws: { error in
                guard case StoreError.unavailable = error else { return false }
                return true
            }
            #expect(try await store.read(name) == [1, 2, 3])
        }
        #expect(
            try OwnerOnlyDirectory(place).names() == ["a.sealed", "store.key", "store.key.lock"])
        isFull.leave(.max)
        try await store.write([9, 9, 9], to: name)
        #expect(try await store.read(name) == [9, 9, 9])
    }

    @Test(
        "Where a file system has no locks nobody goes on without one",
        arguments: [true, false])
    func noLocks(hasToWait: Bool) async throws {
        let files = OwnerOnlyDirectory(
            folder.path("store"),
            flock: { _, how in
                errno = hasToWait && how & LOCK_NB != 0 ? EWOULDBLOCK : ENOLCK
                return -1
            })
        let store = FileSecureStore(
            files, sealedWith: .besideRecords, random: SystemRandomSource())
        await #expect {
            try await store.withLock(name) { Issue.record("it holds nothing") }
        } throws: { error in
            guard case StoreError.unavailable(let text) = error else { return false }
            return text.contains("cannot be locked")
        }
        let ifFree: Int? = try? await store.withLockIfFree(name) { 7 }
        #expect(ifFree == nil)
    }

    @Test("Keys stay, sign, and seal for nobody else")
    func keys() async throws {
        let place = folder.path("keys")
        let store = FileKeyStore(directory: place, sealedWith: .besideRecords)
        #expect(try await store.key(name) == nil)
        let made = try await store.makeKey(name)
        let opened = try #require(try await store.key(name))
        #expect(opened.publicKey == made.publicKey && !opened.isHardware)
        #expect(try await opened.signature(over: [1]).count == 64)
        let sealed = try await made.seal([1, 2], context: [3])
        #expect(try await opened.open(sealed, context: [3]) == [1, 2])
        await #expect(throws: StoreError.self) { try await opened.open(sealed, context: [4]) }
        let other = try await store.makeKey(RecordName(testing: "b"))
        await #expect(throws: StoreError.self) { try await other.open(sealed, context: [3]) }
        #expect(Set(try await store.keyNames().map(\.rawValue)) == ["a", "b"])
        try await store.removeKey(name)
        #expect(try await store.key(name) == nil)
    }

    @Test(
        "Names that could leave the folder are no names",
        arguments: [
            "", "../a", "a/b", "A", ".a", "-a", "1a", "a b", "ä",
            String(repeating: "a", count: 101),
        ])
    func names(_ text: String) { #expect(RecordName(rawValue: text) == nil) }
}
