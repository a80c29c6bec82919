// SPDX-License-Identifier: Apache-2.0
import Primitives
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

/// Locks by name between the tasks of one process, first come, first served.
final class NamedLocks: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// Held names, and who waits for each.
        var waiters: [RecordName: [Waiter]] = [:]
        /// The waiters that were cancelled before they were registered.
        var gaveUp: Set<Int> = []
        var next = 0
    }

    private let state = Mutex(State())

    /// - Throws: `CancellationError` when the task is cancelled while it waits. A lock that is free
    ///   is taken by a cancelled task as well.
    func acquire(_ name: RecordName) async throws {
        if acquireIfFree(name) { return }
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        defer { state.withLock { _ = $0.gaveUp.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, number, for: name) }
        } onCancel: {
            giveUp(number, name)
        }
    }

    private func wait(
        _ continuation: CheckedContinuation<Void, any Error>, _ number: Int, for name: RecordName
    ) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            guard !state.gaveUp.contains(number) else { return .failure(CancellationError()) }
            guard state.waiters[name] != nil else {
                state.waiters[name] = []
                return .success(())
            }
            state.waiters[name]?.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func giveUp(_ number: Int, _ name: RecordName) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters[name]?.firstIndex(where: { $0.number == number })
            else {
                state.gaveUp.insert(number)
                return nil
            }
            return state.waiters[name]?.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    func acquireIfFree(_ name: RecordName) -> Bool {
        state.withLock { state in
            guard state.waiters[name] == nil else { return false }
            state.waiters[name] = []
            return true
        }
    }

    func release(_ name: RecordName) {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters[name]?.isEmpty == false else {
                state.waiters[name] = nil
                return nil
            }
            return state.waiters[name]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
