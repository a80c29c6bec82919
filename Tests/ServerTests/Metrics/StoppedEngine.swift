// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Synchronization

/// An engine that does not respond while it is stopped.
final class StoppedEngine: SQLEngine {
    private let engine: SQLiteEngine
    private let stopped = Mutex(false)

    init(_ engine: SQLiteEngine) { self.engine = engine }

    var isStopped: Bool {
        get { stopped.withLock { $0 } }
        set { stopped.withLock { $0 = newValue } }
    }

    private func check() throws {
        if isStopped { throw StorageError(.unavailable, "connection refused") }
    }

    var dialect: SQLDialect { engine.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try check()
        return try await engine.read(body)
    }

    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        try check()
        return try await engine.change(statement, arguments: arguments)
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try check()
        return try await engine.write(body)
    }

    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try check()
        return try await engine.snapshot(body)
    }

    func size() async throws -> Int64 { try await engine.size() }
    func selfCheck() async throws -> [String] { try await engine.selfCheck() }
    func close() async { await engine.close() }
}
