// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// A store that is gone with the process: for tests, and for kiosks where nothing may remain.
public final class InMemoryCredentialStore: CredentialStore {
    private let records = Mutex<[RecordName: [UInt8]]>([:])
    private let locks = NamedLocks()

    /// An empty one.
    public init() {}

    /// See ``CredentialStore/read(_:)``.
    public func read(_ name: RecordName) async throws -> [UInt8]? { records.withLock { $0[name] } }

    /// See ``CredentialStore/write(_:to:)``.
    public func write(_ bytes: [UInt8], to name: RecordName) async throws {
        records.withLock { $0[name] = bytes }
    }

    /// See ``CredentialStore/remove(_:)``.
    public func remove(_ name: RecordName) async throws {
        records.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// See ``CredentialStore/names()``.
    public func names() async throws -> [RecordName] { records.withLock { Array($0.keys) } }

    /// See ``CredentialStore/withLock(_:_:)``.
    public func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await locks.acquire(name)
        defer { locks.release(name) }
        return try await body()
    }

    /// See ``CredentialStore/withLockIfFree(_:_:)``.
    public func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        guard locks.acquireIfFree(name) else { return nil }
        defer { locks.release(name) }
        return try await body()
    }
}

/// Keys that are gone with the process.
public final class InMemoryKeyStore: KeyStore {
    private let keys = Mutex<[RecordName: SoftwareSigningKey]>([:])

    /// An empty one.
    public init() {}

    /// See ``KeyStore/makeKey(_:)``.
    public func makeKey(_ name: RecordName) async throws -> any SigningKey {
        let key = try SoftwareSigningKey(random: SystemRandomSource())
        keys.withLock { $0[name] = key }
        return key
    }

    /// See ``KeyStore/key(_:)``.
    public func key(_ name: RecordName) async throws -> (any SigningKey)? {
        keys.withLock { $0[name] }
    }

    /// See ``KeyStore/removeKey(_:)``.
    public func removeKey(_ name: RecordName) async throws {
        keys.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// See ``KeyStore/keyNames()``.
    public func keyNames() async throws -> [RecordName] { keys.withLock { Array($0.keys) } }
}

/// Locks by name between the tasks of one process, first come, first served.
final class NamedLocks: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// Held names, and who waits for each.
    private let waiters = Mutex<[RecordName: [Waiter]]>([:])

    func acquire(_ name: RecordName) async {
        await withCheckedContinuation { waiter in
            let isFree = waiters.withLock { waiters in
                guard waiters[name] != nil else {
                    waiters[name] = []
                    return true
                }
                waiters[name]?.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    func acquireIfFree(_ name: RecordName) -> Bool {
        waiters.withLock { waiters in
            guard waiters[name] == nil else { return false }
            waiters[name] = []
            return true
        }
    }

    func release(_ name: RecordName) {
        let next = waiters.withLock { waiters -> Waiter? in
            guard let first = waiters[name]?.first else {
                waiters[name] = nil
                return nil
            }
            waiters[name]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
