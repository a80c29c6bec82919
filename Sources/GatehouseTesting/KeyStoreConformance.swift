// SPDX-License-Identifier: Apache-2.0
import Crypto
public import GatehouseClient

/// What a `KeyStore` must do, as tests: run every case against yours, as those of
/// ``SecureStoreConformance``.
public enum KeyStoreConformance {
    /// Opens the same content in a new instance, as another process would.
    public typealias Open = @Sendable () throws -> any KeyStore

    /// A requirement of a key store.
    public struct Case: Sendable, CustomStringConvertible {
        /// As a sentence.
        public let description: String
        let check: @Sendable (Open) async throws -> Void

        /// - Parameter open: Must begin with an empty store.
        /// - Throws: ``SecureStoreConformance/ConformanceError``, and whatever the store throws.
        public func run(_ open: @escaping Open) async throws { try await check(open) }
    }

    /// All of them.
    public static let cases: [Case] = [
        Case(description: "There is no key in an empty store") { open in
            try expect(try await open().key(name("a")) == nil, "there is one")
            try expect(try await open().keyNames().isEmpty, "one is listed")
            try await open().removeKey(name("a"))
        },
        Case(description: "A key is found again, also after the store is reopened") {
            open in
            let made = try await open().makeKey(name("a"))
            let found = try await found("a", in: open())
            try expect(found.publicKey == made.publicKey, "another key")
            try expect(found.isHardware == made.isHardware, "somewhere else")
        },
        Case(description: "What a key signs its public half verifies, and nothing else") { open in
            let key = try await open().makeKey(name("a"))
            let message = [UInt8](0..<100)
            let signature = try await found("a", in: open()).signature(over: message)
            try expect(signature.count == 64, "\(signature.count) bytes")
            try expect(isValid(signature, over: message, key), "not its signature")
            try expect(!isValid(signature, over: message + [0], key), "of anything")
        },
        Case(description: "What a key seals it opens again, with the same context only") { open in
            let key = try await open().makeKey(name("a"))
            let sealed = try await key.seal([1, 2, 3], context: [4])
            try expect(!sealed.isEmpty && sealed != [1, 2, 3], "not sealed")
            let again = try await found("a", in: open())
            try expect(try await again.open(sealed, context: [4]) == [1, 2, 3], "not the same")
            try await expectDamage("another context") { try await again.open(sealed, context: [5]) }
            var flipped = sealed
            flipped[flipped.count - 1] ^= 1
            try await expectDamage("a change") { [flipped] in
                try await again.open(flipped, context: [4])
            }
            try await expectDamage("nothing") { try await again.open([], context: [4]) }
        },
        Case(description: "Another key opens nothing") { open in
            let sealed = try await open().makeKey(name("a")).seal([1], context: [])
            let other = try await open().makeKey(name("b"))
            try await expectDamage("another key") { try await other.open(sealed, context: []) }
        },
        Case(description: "Making a key of a name that has one replaces it") { open in
            let first = try await open().makeKey(name("a"))
            let second = try await open().makeKey(name("a"))
            try expect(first.publicKey != second.publicKey, "the same key")
            try expect(
                try await found("a", in: open()).publicKey == second.publicKey, "not replaced")
            try expect(try await open().keyNames().count == 1, "listed twice")
        },
        Case(description: "Keys are kept apart, listed, and removed one by one") { open in
            for text in [name("a"), name("a.b"), name("a-b")] {
                _ = try await open().makeKey(text)
            }
            try await open().removeKey(name("a.b"))
            let names = Set(try await open().keyNames().map(\.rawValue))
            try expect(names == ["a", "a-b"], "listed: \(names)")
            try expect(try await open().key(name("a.b")) == nil, "not removed")
        },
        Case(description: "Many that sign at once are all served") { open in
            let key = try await open().makeKey(name("a"))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in UInt8(0)..<8 {
                    group.addTask {
                        isValid(try await key.signature(over: [number]), over: [number], key)
                    }
                }
                for try await isValid in group { try expect(isValid, "not its signature") }
            }
        },
    ]

    private static func name(_ text: StaticString) -> RecordName { RecordName(testing: text) }

    private static func found(
        _ text: StaticString, in store: any KeyStore
    ) async throws -> any StoredKey {
        guard let key = try await store.key(name(text)) else {
            throw SecureStoreConformance.ConformanceError(description: "the key is not there")
        }
        return key
    }

    private static func isValid(
        _ signature: [UInt8], over message: [UInt8], _ key: any StoredKey
    ) -> Bool {
        guard
            let known = try? P256.Signing.PublicKey(
                rawRepresentation: key.publicKey.x + key.publicKey.y),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return known.isValidSignature(signature, for: SHA256.hash(data: message))
    }

    private static func expect(_ holds: Bool, _ otherwise: String) throws {
        guard holds else { throw SecureStoreConformance.ConformanceError(description: otherwise) }
    }

    private static func expectDamage(
        _ what: String, _ open: @Sendable () async throws -> [UInt8]
    ) async throws {
        do { _ = try await open() } catch StoreError.damaged { return }
        throw SecureStoreConformance.ConformanceError(description: "\(what) opens it")
    }
}
