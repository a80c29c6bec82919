// SPDX-License-Identifier: Apache-2.0
import StorageSQL
import StorageSQLite
import Synchronization

/// A real engine that counts how often it is asked, for tests that pin what a request costs.
final class CountingEngine: SQLEngine {
    struct Counts: Equatable {
        var reads = 0
        var writes = 0
    }

    private let engine: SQLiteEngine
    private let counts = Mutex(Counts())
    private let interruptions = Mutex(Interruptions())

    private struct Interruptions {
        var mark = ""
        var works: [@Sendable () async throws -> Void] = []
        var isAtOne = false
    }

    init(_ engine: SQLiteEngine) { self.engine = engine }

    /// What `work` costs.
    func count(_ work: () async throws -> Void) async throws -> Counts {
        let before = counts.withLock { $0 }
        try await work()
        let after = counts.withLock { $0 }
        return Counts(reads: after.reads - before.reads, writes: after.writes - before.writes)
    }

    /// What others do, one before each of the next changes by a statement that contains `mark`.
    /// Their own changes are not interrupted. ``transaction`` is the mark of every one.
    func interrupt(_ mark: String, by works: [@Sendable () async throws -> Void]) {
        interruptions.withLock { ($0.mark, $0.works) = (mark, works) }
    }

    static let transaction = "(a transaction)"

    private func interruption(
        of statement: String
    ) -> (@Sendable () async throws -> Void)? {
        interruptions.withLock {
            guard !$0.isAtOne, !$0.works.isEmpty, statement.contains($0.mark) else { return nil }
            $0.isAtOne = true
            return $0.works.removeFirst()
        }
    }

    var dialect: SQLDialect { engine.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        counts.withLock { $0.reads += 1 }
        return try await engine.read(body)
    }

    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        if let work = interruption(of: statement) {
            defer { interruptions.withLock { $0.isAtOne = false } }
            try await work()
        }
        counts.withLock { $0.writes += 1 }
        return try await engine.change(statement, arguments: arguments)
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        if let work = interruption(of: Self.transaction) {
            defer { interruptions.withLock { $0.isAtOne = false } }
            try await work()
        }
        counts.withLock { $0.writes += 1 }
        return try await engine.write(body)
    }

    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T { try await engine.snapshot(body) }

    func size() async throws -> Int64 { try await engine.size() }
    func selfCheck() async throws -> [String] { try await engine.selfCheck() }
    func close() async { await engine.close() }
}
