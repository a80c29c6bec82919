// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage
package import StorageSQL

/// PostgreSQL through libpq: a bounded number of connections, each on a thread of its own.
///
/// A single statement commits by itself. Transactions run at READ COMMITTED: every verb of more
/// than one statement first holds the row that decides.
package final class PostgreSQLEngine: SQLEngine {
    private let queue: WorkQueue

    package init(url: Secret, connections: Int) {
        let count = max(connections, 1)
        queue = WorkQueue(workers: count)
        let text = url.revealText()
        for _ in 0..<count { PostgreSQLWorker.start(url: text, queue: queue) }
    }

    package var dialect: SQLDialect { .postgreSQL }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform { try Attempts($0, kind: .read).run(body) }
    }

    package func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        try await perform {
            try Attempts($0, kind: .change).run { try $0.run(statement, arguments: arguments) }
        }
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform { try Attempts($0, kind: .transaction).run(body) }
    }

    package func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await perform { try Attempts($0, kind: .snapshot).run(body) }
    }

    package func size() async throws -> Int64 {
        var row = try await query("SELECT pg_database_size(current_database())").first
        return try row?.integer() ?? 0
    }

    /// PostgreSQL looks after its own files.
    package func selfCheck() async throws -> [String] { [] }

    package func close() async { await queue.close() }

    /// Runs `work` on the first connection that is free.
    private func perform<T: Sendable>(
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try queue.add { connection in
                    continuation.resume(with: Result { try work(connection) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
