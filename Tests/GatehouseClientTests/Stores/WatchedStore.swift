// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Synchronization

/// A store in memory whose locks alone are its own.
protocol LockingStore: SecureStore {
    var inner: InMemorySecureStore { get }
}

extension LockingStore {
    func read(_ name: RecordName) async throws -> [UInt8]? { try await inner.read(name) }
    func remove(_ name: RecordName) async throws { try await inner.remove(name) }
    func names() async throws -> [RecordName] { try await inner.names() }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try await inner.write(bytes, to: name)
    }
}

/// A store that counts who wants a lock of that kind.
final class WatchedStore: LockingStore {
    let inner = InMemorySecureStore()
    private let kind: String
    private let count = Mutex(0)

    init(_ kind: String) { self.kind = kind }

    var asked: Int { count.withLock { $0 } }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        if name.rawValue.hasPrefix(kind) { count.withLock { $0 += 1 } }
        return try await inner.withLock(name, body)
    }
}

extension SecureStore {
    /// Of what kinds its records are, each as often as there is one.
    func kinds() async throws -> [String] {
        try await names().map { String($0.rawValue.prefix { $0 != "." }) }.sorted()
    }

    /// Removes what providers have said of themselves.
    func forgetProviders() async throws {
        for name in try await names() where name.rawValue.hasPrefix("provider") {
            try await remove(name)
        }
    }
}
