// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A step that adds an index to a table in use, on PostgreSQL: `CREATE INDEX CONCURRENTLY`, outside
/// a transaction. Changes of the table do not wait for it.
///
/// One process builds it, by a lease; others wait until it is recorded. A build that failed leaves
/// an invalid index, which the next one drops.
struct ConcurrentIndexBuild {
    private let engine: any SQLEngine
    private let step: SchemaStep
    private let index: SchemaStep.AddedIndex
    private let lease: SQLJobLease

    private static let lifetime = TimeSpan.seconds(60)
    private static let renewal = Duration.seconds(20)
    private static let pause = Duration.milliseconds(500)

    init(_ engine: any SQLEngine, _ step: SchemaStep, _ index: SchemaStep.AddedIndex) {
        self.engine = engine
        self.step = step
        self.index = index
        lease = SQLJobLease(
            name: "schema", holder: SystemRandomSource().bytes(16), dialect: engine.dialect)
    }

    /// Returns whether this call has built the index.
    func run() async throws -> Bool {
        while try await !acquire() {
            if try await isRecorded() { return false }
            try await Task.sleep(for: Self.pause)
        }
        do {
            let isDue = try await !isRecorded()
            if isDue { try await build() }
            try await release()
            return isDue
        } catch {
            try? await release()
            throw error
        }
    }

    private func acquire() async throws -> Bool {
        try await lease.acquire(for: Self.lifetime, on: engine) != nil
    }

    private func release() async throws { try await lease.release(on: engine) }

    private func isRecorded() async throws -> Bool {
        try await !engine.query("SELECT 1 FROM schema_steps WHERE number = $1", step.number).isEmpty
    }

    private func build() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: Self.renewal)) != nil { _ = try await acquire() }
            }
            defer { group.cancelAll() }
            let index = index
            // A read is not in a transaction.
            try await engine.read { connection in
                try connection.withoutTimeLimits { try Self.build(index, $0) }
            }
        }
        _ = try await engine.change(Migration.note, step.number, step.name)
    }

    private static func build(
        _ index: SchemaStep.AddedIndex, _ connection: any SQLConnection
    ) throws {
        if try connection.first(invalidIndex, index.name) != nil {
            try connection.define("DROP INDEX CONCURRENTLY IF EXISTS \(index.name)")
        }
        try connection.define(
            SQLDialect.postgreSQL.spell(index.statement("CONCURRENTLY IF NOT EXISTS ")))
    }

    private static let invalidIndex = """
        SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relname = $1 AND n.nspname = current_schema() AND NOT i.indisvalid
        """
}

extension SQLConnection {
    /// Runs `body` outside a transaction without the time limits of the session, and sets them
    /// again.
    fileprivate func withoutTimeLimits(_ body: (any SQLConnection) throws -> Void) throws {
        let limits = ["statement_timeout", "lock_timeout"]
        let values = try limits.map { limit in
            try query("SELECT current_setting('\(limit)')").firstRecord { try $0.text() } ?? "0"
        }
        for limit in limits { try define("SET \(limit) = 0") }
        defer {
            for (limit, value) in zip(limits, values) {
                _ = try? query("SELECT set_config('\(limit)', $1, false)", value)
            }
        }
        try body(self)
    }
}
