// SPDX-License-Identifier: Apache-2.0
import Storage

/// A migration of a database to the schema of this version.
///
/// A step and its record are in one transaction, so a process may be stopped at any point and the
/// next one continues. If two processes start at once, the record is written first, and the second
/// process skips the step.
package struct Migration: Sendable {
    let engine: any SQLEngine
    let steps: [SchemaStep]

    package init(engine: any SQLEngine, steps: [SchemaStep] = SchemaStep.all) {
        self.engine = engine
        self.steps = steps
    }

    /// Runs the missing steps. Returns the names of the steps that this call ran.
    ///
    /// On SQLite one transaction runs all steps, because a new database would otherwise wait a
    /// hundred times for the disk. PostgreSQL locks what a step changes until its transaction ends,
    /// so there each step has a separate transaction. The same applies after an error.
    ///
    /// - Throws: ``StorageError/Code/newerSchema`` if a newer version has changed the schema and
    ///   this version cannot use it.
    package func run() async throws -> [String] {
        try await checkSupport()
        let done = try await done()
        let pending = steps.filter { !done.contains($0.number) }
        if engine.dialect == .sqlite, let ran = try? await runTogether(pending) { return ran }
        var ran: [String] = []
        for step in pending where try await run(step, isNew: done.isEmpty) { ran.append(step.name) }
        return ran
    }

    /// Throws if the schema has steps of a newer version. A copy by this version would lack what they
    /// added.
    static func checkIsKnown(_ connection: any SQLConnection, _ dialect: SQLDialect) throws {
        let known = SchemaStep.all.map(\.number)
        let unknown = try done(connection, dialect).subtracting(known)
        guard let version = unknown.max() else { return }
        throw StorageError(
            .newerSchema,
            "the database has schema version \(version), and this program has version "
                + "\(known.last ?? 0): a backup or a restore by it would be incomplete. Use the newer gatehouse"
        )
    }

    /// Throws if the schema is newer than this version and does not support it.
    package func checkSupport() async throws {
        let (version, newest) = (try await version(), steps.last?.number ?? 0)
        guard version > newest else { return }
        let dialect = engine.dialect
        let oldest = try await engine.read { connection -> Int64? in
            guard try connection.first(dialect.tableExists, "schema_support") != nil else {
                return nil
            }
            return try connection.query("SELECT max(oldest_version) FROM schema_support")
                .firstRecord { try $0.optionalInteger() } ?? nil
        }
        guard let oldest, oldest > newest else { return }
        throw StorageError(
            .newerSchema,
            "the database has schema version \(version), which supports programs of version "
                + "\(oldest) and later; this program has version \(newest). Run a newer gatehouse")
    }

    private func runTogether(_ pending: [SchemaStep]) async throws -> [String] {
        guard !pending.isEmpty else { return [] }
        return try await engine.write { connection in
            try pending.filter { try Self.run($0, connection, .sqlite) }.map(\.name)
        }
    }

    /// Returns the steps that have not run.
    package func pending() async throws -> [SchemaStep] {
        let done = try await done()
        return steps.filter { !done.contains($0.number) }
    }

    /// The number of the newest step that has run, 0 for an empty database.
    package func version() async throws -> Int { try await done().max() ?? 0 }

    private func done() async throws -> Set<Int> {
        let dialect = engine.dialect
        return try await engine.read { try Self.done($0, dialect) }
    }

    package static func done(
        _ connection: any SQLConnection, _ dialect: SQLDialect
    ) throws
        -> Set<Int>
    {
        guard try connection.first(dialect.tableExists, "schema_steps") != nil else { return [] }
        return Set(
            try connection.query("SELECT number FROM schema_steps").map { row in
                var row = row
                return Int(try row.integer())
            })
    }

    /// How often a step is tried that does not get its locks. A statement that waits for the lock
    /// of a table stops all later ones on that table, so it does not wait long
    /// (``stepLockTimeout``).
    private static let attempts = 10
    private static let stepLockTimeout = "SET LOCAL lock_timeout = 3000"

    private func run(_ step: SchemaStep, isNew: Bool) async throws -> Bool {
        let dialect = engine.dialect
        if dialect == .postgreSQL, !isNew, let index = step.index {
            return try await ConcurrentIndexBuild(engine, step, index).run()
        }
        var attempt = 1
        while true {
            do {
                return try await engine.write { try Self.run(step, $0, dialect) }
            } catch let error as StorageError
                where Self.mayPass.contains(error.code) && attempt < Self.attempts
            {
                attempt += 1
            }
        }
    }

    /// Another process created the table at the same moment, or a lock was not free.
    private static let mayPass: [StorageError.Code] = [.conflict, .contention]

    /// Runs every missing step inside a transaction of the caller. Returns their number.
    package static func runAll(
        _ connection: any SQLConnection, _ dialect: SQLDialect
    ) throws -> Int {
        try SchemaStep.all.filter { try run($0, connection, dialect) }.count
    }

    private static func run(
        _ step: SchemaStep, _ connection: any SQLConnection, _ dialect: SQLDialect
    ) throws -> Bool {
        if try connection.first(dialect.tableExists, "schema_steps") == nil {
            try connection.define(dialect.spell(notes))
        }
        if dialect == .postgreSQL {
            // While another process runs the step, its record waits for the end of that.
            try connection.liftTimeLimit(dialect)
            try connection.define("SET LOCAL lock_timeout = 0")
        }
        let isDue = try !connection.change(returning: note, step.number, step.name).isEmpty
        guard isDue else { return false }
        if dialect == .postgreSQL { try connection.define(stepLockTimeout) }
        try connection.define(dialect.spell(step.statement))
        return true
    }

    private static let notes = """
        CREATE TABLE IF NOT EXISTS schema_steps (number {integer} NOT NULL PRIMARY KEY,
        name {text} NOT NULL){row}
        """

    static let note = """
        INSERT INTO schema_steps (number, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
        RETURNING number
        """
}

extension SQLConnection {
    /// Lifts the time limits until the end of the transaction: it is about many rows, which take
    /// time also between its statements.
    func liftTimeLimit(_ dialect: SQLDialect) throws {
        guard dialect == .postgreSQL else { return }
        try define("SET LOCAL statement_timeout = 0")
        try define("SET LOCAL idle_in_transaction_session_timeout = 0")
    }
}

extension SQLDialect {
    /// A query that returns a row if the table named by `$1` exists.
    package var tableExists: String {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
        case .postgreSQL:
            """
            SELECT 1 FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_name = $1
            """
        }
    }
}
