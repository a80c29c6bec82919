// SPDX-License-Identifier: Apache-2.0
import Storage

/// The schema, backups, integrity and expiry of a database.
struct SQLMaintenance: StoreMaintenance, SQLCapability {
    let database: SQLDatabase

    func ping() async throws { try await engine.ping() }

    func status() async throws -> StoreStatus {
        let migration = Migration(engine: engine)
        let pending = try await migration.pending()
        let rows = try await countRows()
        return StoreStatus(
            engine: dialect.rawValue,
            schemaVersion: try await migration.version(),
            latestSchemaVersion: SchemaStep.all.last?.number ?? 0,
            pendingSteps: pending.map(\.name),
            rows: rows,
            bytes: try await engine.size())
    }

    func migrate() async throws -> [String] {
        let ran = try await Migration(engine: engine).run()
        try await completeRows()
        return ran
    }

    func verify() async throws -> [String] {
        let faults = try await engine.selfCheck()
        return try await faults + engine.snapshot { try Invariant.violations($0) }
    }

    func backup(
        to path: String, replacing: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        let (archives, dialect) = (database.archives, dialect)
        try await engine.snapshot { source in
            try Migration.checkIsKnown(source, dialect)
            try archives.create(at: path, replacing: replacing) { target in
                try StoreCopy(source: source, target: target, progress: progress).run()
            }
        }
    }

    func close() async { await engine.close() }

    /// Fills what older versions have not written.
    func completeRows() async throws {
        let people = SQLPeople(database: database)
        try await readOlderWrites()
        try await people.assignMissingShownNames()
        try await people.addMissingSearchTerms()
    }

    private func countRows() async throws -> [String: Int] {
        let dialect = dialect
        return try await engine.snapshot { connection in
            var rows: [String: Int] = [:]
            for table in StoredTable.all
            where try connection.first(dialect.tableExists, table.name) != nil {
                rows[table.name] = try table.count(connection)
            }
            return rows
        }
    }
}
