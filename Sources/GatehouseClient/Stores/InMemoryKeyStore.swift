// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// A key store in memory.
public final class InMemoryKeyStore: KeyStore {
    private let keys = Mutex<[RecordName: SoftwareSigningKey]>([:])

    /// An empty one.
    public init() {}

    /// See ``KeyStore/makeKey(_:)``.
    public func makeKey(_ name: RecordName) async throws -> any StoredKey {
        let key = try SoftwareSigningKey(random: SystemRandomSource())
        keys.withLock { $0[name] = key }
        return key
    }

    /// See ``KeyStore/key(_:)``.
    public func key(_ name: RecordName) async throws -> (any StoredKey)? {
        keys.withLock { $0[name] }
    }

    /// See ``KeyStore/removeKey(_:)``.
    public func removeKey(_ name: RecordName) async throws {
        keys.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// See ``KeyStore/keyNames()``.
    public func keyNames() async throws -> [RecordName] { keys.withLock { Array($0.keys) } }
}
