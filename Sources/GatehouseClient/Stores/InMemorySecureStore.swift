// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A store in memory: for tests, and for kiosks that must not store data.
public final class InMemorySecureStore: SecureStore {
    private let records = Mutex<[RecordName: [UInt8]]>([:])
    private let locks = NamedLocks()

    /// An empty one.
    public init() {}

    /// See ``SecureStore/read(_:)``.
    public func read(_ name: RecordName) async throws -> [UInt8]? { records.withLock { $0[name] } }

    /// See ``SecureStore/write(_:to:)``.
    public func write(_ bytes: [UInt8], to name: RecordName) async throws {
        records.withLock { $0[name] = bytes }
    }

    /// See ``SecureStore/remove(_:)``.
    public func remove(_ name: RecordName) async throws {
        records.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// See ``SecureStore/names()``.
    public func names() async throws -> [RecordName] { records.withLock { Array($0.keys) } }

    /// See ``SecureStore/withLock(_:_:)``.
    public func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.acquire(name)
        defer { locks.release(name) }
        return try await body()
    }

    /// See ``SecureStore/withLockIfFree(_:_:)``.
    public func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        guard locks.acquireIfFree(name) else { return nil }
        defer { locks.release(name) }
        return try await body()
    }
}
