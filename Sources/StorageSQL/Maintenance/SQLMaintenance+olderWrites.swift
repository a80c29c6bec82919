// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The writes of a concurrent older version, which does not know the columns of ``Backfill``. The
/// start, the sweep, and a statement that needs a column read them.
extension SQLMaintenance {
    func readOlderWrites() async throws {
        try await fillColumns()
        let dialect = dialect
        if try await isDue(Backfill.names.search) {
            _ = try await engine.write { connection in
                try connection.liftTimeLimit(dialect)
                return try connection.splitNames(dialect)
            }
        }
        try await listRealms()
    }

    private func fillColumns() async throws {
        let dialect = dialect
        for backfill in Backfill.each where try await isDue(backfill.search) {
            _ = try await engine.write { connection in
                try connection.liftTimeLimit(dialect)
                return try connection.change(backfill.late, [UInt8]())
            }
        }
    }

    /// - Parameter search: `$1` is before every identifier.
    private func isDue(_ search: String) async throws -> Bool {
        try await !engine.query(search, [UInt8]()).isEmpty
    }

    private func listRealms() async throws {
        let dialect = dialect
        let unlisted = try await engine.query(projectsUnlisted, [UInt8]())
            .records { try $0.identifier(Project.self) }
        for id in unlisted {
            _ = try await engine.write { try $0.listRealms(of: id, dialect) }
        }
    }
}

private let projectsUnlisted = """
    SELECT id FROM projects WHERE \(Backfill.unlistedProjects) AND id > $1 ORDER BY id
    """
private let projectUnlisted = """
    SELECT silent_realms FROM projects WHERE id = $1 AND \(Backfill.unlistedProjects)
    """

extension SQLConnection {
    /// Runs `insert`, and again if it inserts nothing and an older version has written rows on which
    /// that may depend.
    func afterOlderWrites(
        of project: Identifier<Project>, _ dialect: SQLDialect, _ insert: () throws -> Bool
    ) throws -> Bool {
        if try insert() { return true }
        let (split, listed) = (try splitNames(dialect), try listRealms(of: project, dialect))
        return split || listed ? try insert() : false
    }

    /// Fills the realms and names of people. Returns whether there were any.
    @discardableResult
    func splitNames(_ dialect: SQLDialect) throws -> Bool {
        guard try first(Backfill.names.search, [UInt8]()) != nil else { return false }
        _ = try change(Backfill.namesRemoved, [UInt8]())
        let statement = dialect.spell(Backfill.names.late) + " RETURNING project_id, realm"
        let realms = try change(returning: statement, [UInt8]()).records {
            PersonRealm(project: try $0.identifier(), name: try $0.text())
        }
        for realm in Set(realms) { try add(realm: realm.name, of: realm.project) }
        return true
    }

    /// Updates the rows of the project's disabled realms. Returns whether that was due.
    @discardableResult
    func listRealms(of project: Identifier<Project>, _ dialect: SQLDialect) throws -> Bool {
        let stored = try query(projectUnlisted, project).firstRecord { try $0.optionalText() }
        guard let stored else { return false }
        let settings = try query(projectByID, project).firstRecord(Project.init)
        try change(silentRealmsOf: project, dialect) { realms in
            // A version before the text has not written it either.
            if stored == nil, let settings { realms.follow(settings, after: nil) }
        }
        return true
    }
}

private struct PersonRealm: Hashable {
    let project: Identifier<Project>
    let name: String
}
