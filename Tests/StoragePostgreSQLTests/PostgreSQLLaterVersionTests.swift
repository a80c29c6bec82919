// SPDX-License-Identifier: Apache-2.0
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// A process of this version and one of a later version, on one database.
/// Skipped if PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLLaterVersionTests {
    private let folder = TestFolder()

    private func run(_ check: (LaterVersion) async throws -> Void) async throws {
        let url = try PostgreSQLServer.shared().makeDatabase()
        let engine = PostgreSQLEngine(url: url, connections: 4)
        let later = PostgreSQLEngine(url: url, connections: 2)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        try await check(
            LaterVersion(
                store, migrate: { _ = try await Migration(engine: later, laterSteps: $0).run() },
                rows: { "\(try await engine.query($0).map(\.values))" }))
        await later.close()
        await store.maintenance.close()
    }

    @Test("a process serves while a later version migrates the database, and after that")
    func servesTogether() async throws { try await run { try await $0.servesTogether() } }

    @Test("a process refuses to start when a later version has raised the oldest supported version")
    func refusesRaisedSupport() async throws {
        try await run { try await $0.refusesRaisedSupport() }
    }

    @Test("a process refuses to back up and to restore a database of a later version")
    func refusesIncompleteBackup() async throws {
        try await run { try await $0.refusesIncompleteBackup(at: folder.path("backup")) }
    }
}

extension Migration {
    /// The migration of a later version: the steps of this one, and more.
    init(engine: any SQLEngine, laterSteps statements: [String]) {
        let steps = statements.enumerated().map {
            SchemaStep(number: 9_000 + $0, name: "later_\($0)", statement: $1)
        }
        self.init(engine: engine, steps: SchemaStep.all + steps)
    }
}
