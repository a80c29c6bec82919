// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Foundation
import PasswordHashing
import Primitives
import Support
import Synchronization
import Testing

/// A counter of a test, which outlives the store, and can be stopped as a loss of power would.
private final class TestCounter: MonotonicCounter {
    private let state = Mutex((value: UInt64(7), isCut: false))

    func cut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }
    func value() -> UInt64 { state.withLock { $0.value } }

    func increment() throws(AuthenticatorStoreError) {
        let isCut = state.withLock { state in
            if !state.isCut { state.value += 1 }
            return state.isCut
        }
        if isCut { throw .system(call: "power", code: 0) }
    }
}

/// A vault with a counter.
private struct CountingVault: KeyProtector {
    let inner: KeyFileProtector
    let counter: TestCounter

    func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        try inner.create(random: random)
    }

    func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        try inner.open(description)
    }

    func counter(_ description: [UInt8], key: SymmetricKey) -> (any MonotonicCounter)? { counter }
}

@Suite struct RolledBackStoreTests {
    private let folder = TestFolder()
    private let counter = TestCounter()
    private var path: String { folder.path("key.store") }

    private func key(_ seed: UInt64) throws -> TestKey {
        let vault = CountingVault(
            inner: KeyFileProtector(path: folder.path("key")), counter: counter)
        return try TestKey(
            store: SealedFileStore(path: path, vault: vault, random: SeededRandom(seed: seed)),
            seed: seed)
    }

    private func file() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    private func put(_ content: Data) throws { try content.write(to: URL(filePath: path)) }

    @Test("Attack 37: every change that an attacker could want to undo makes older files worthless")
    func worthless() async throws {
        let pin = "1234"
        let changes: [(String, (TestKey) async throws -> Void)] = [
            ("a PIN", { try await $0.setPIN(pin) }),
            ("a try", { key in _ = try? await key.token("0000") }),
            ("another PIN", { try await $0.changePIN(from: pin, to: "5678") }),
            ("a reset", { try await $0.send(.reset) }),
        ]
        do { _ = try await key(1).make(TestKey.creation(discoverable: true)) }
        for (number, (name, change)) in changes.enumerated() {
            let old = try file()
            do { try await change(try key(UInt64(number + 2))) }
            let new = try file()
            try put(old)
            #expect(throws: AuthenticatorStoreError.rolledBack, "\(name)") { try key(90) }
            try put(new)
            _ = try key(91)
        }
    }

    @Test("A change without an advantage for an attacker does not increment the counter")
    func sparing() async throws {
        let key = try key(1)
        try await key.setPIN("1234")
        let before = counter.value()
        let made = try await key.make(TestKey.creation())
        let id = Array(made.authenticatorData.dropFirst(55).prefix(Int(made.authenticatorData[54])))
        for _ in 0..<5 { _ = try await key.get(TestKey.assertion(allow: [id])) }
        #expect(counter.value() == before)
        // A right PIN takes one try and gives it back.
        _ = try await key.token("1234")
        #expect(counter.value() == before + 1)
    }

    @Test("Power that goes between file and counter costs nothing, and brings nothing")
    func powerLoss() async throws {
        do { try await key(1).setPIN("1234") }
        let old = try file()
        counter.cut(true)
        do {
            let key = try key(2)
            // The try is saved, the counter does not rise, and the PIN is not compared.
            await #expect(throws: CTAPStatus.other) { try await key.token("0000") }
            await #expect(throws: CTAPStatus.other) { try await key.token("1234") }
        }
        counter.cut(false)
        let new = try file()
        #expect(try await key(3).retries() == 7)
        try put(old)
        #expect(throws: AuthenticatorStoreError.rolledBack) { try key(4) }
        try put(new)
        #expect(try await key(5).retries() == 7)
    }
}
