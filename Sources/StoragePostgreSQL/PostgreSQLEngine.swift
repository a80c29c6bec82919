// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
package import StorageSQL

/// PostgreSQL through libpq: a bounded number of connections, each on a dedicated thread.
///
/// Single statements share commits (``PostgreSQLGroupCommit``). Transactions run at READ COMMITTED: every
/// operation of more than one statement first locks the deciding row.
package final class PostgreSQLEngine: SQLEngine {
    private let queue: WorkQueue
    /// One connection for ``ping()``, so that work which waits does not delay it.
    private let pings = WorkQueue(workers: 1)
    /// `nil` when there is one connection only, or no thread for it.
    private let changes: PostgreSQLGroupCommit?

    package convenience init(
        url: Secret, connections: Int, counting count: CommitCounter? = nil
    ) {
        self.init(url: url, connections: connections, shared: .init(), counting: count)
    }

    init(
        url: Secret, connections: Int, shared: PostgreSQLConnection.Shared,
        counting count: CommitCounter? = nil
    ) {
        let workers = max(connections - 1, 1)
        let queue = WorkQueue(workers: workers)
        let text = url.revealText()
        for _ in 0..<workers { PostgreSQLWorker.start(url: text, shared: shared, queue: queue) }
        PostgreSQLWorker.start(url: text, shared: shared, queue: pings)
        self.queue = queue
        guard connections > 1 else {
            changes = nil
            return
        }
        changes = PostgreSQLGroupCommit(url: text, shared: shared, counting: count) {
            Self.run($0, on: queue)
        }
    }

    package var dialect: SQLDialect { .postgreSQL }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform(.read) { try TransactionRetry($0, kind: .read).run(body) }
    }

    package func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        try await change(statement, sets: [arguments])
    }

    package func change(_ statement: String, each sets: [[SQLValue]]) async throws {
        guard !sets.isEmpty else { return }
        _ = try await change(statement, sets: sets)
    }

    private func change(_ statement: String, sets: [[SQLValue]]) async throws -> [SQLRow] {
        try await withCheckedThrowingContinuation { continuation in
            let change = PendingChange(statement: statement, sets: sets) {
                continuation.resume(with: $0)
            }
            guard let changes else { return Self.run(change, on: queue) }
            do { try changes.add(change) } catch { continuation.resume(throwing: error) }
        }
    }

    /// Runs the change by itself on the first connection that is free.
    private static func run(_ change: PendingChange, on queue: WorkQueue) {
        do {
            try queue.add(.change) { connection in
                change.answer(Result { try change.run(on: connection) })
            }
        } catch {
            change.answer(.failure(error))
        }
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform(.change) { try TransactionRetry($0, kind: .transaction).run(body) }
    }

    package func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform(.read) { try TransactionRetry($0, kind: .snapshot).run(body) }
    }

    /// Fails also if the server responds and no longer accepts changes.
    package func ping() async throws {
        try await perform(.read, on: pings) { connection in
            try TransactionRetry(connection, kind: .read).run { _ in
                _ = try connection.query("SELECT 1", arguments: [])
                if connection.isReadOnly { throw PostgreSQLError.readOnlyServer }
            }
        }
    }

    package func size() async throws -> Int64 {
        var row = try await query("SELECT pg_database_size(current_database())").first
        return try row?.integer() ?? 0
    }

    /// PostgreSQL looks after its own files.
    package func selfCheck() async throws -> [String] { [] }

    package func close() async {
        await changes?.close()
        await queue.close()
        await pings.close()
    }

    /// Runs `work` on the first connection that is free.
    private func perform<T: Sendable>(
        _ kind: WorkQueue.Kind, on queue: WorkQueue? = nil,
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try (queue ?? self.queue).add(kind) { connection in
                    continuation.resume(with: Result { try work(connection) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
