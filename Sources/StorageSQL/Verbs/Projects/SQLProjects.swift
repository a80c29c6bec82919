// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let projectSelect = "SELECT \(Project.columns.list) FROM projects"
private let projectByName = "\(projectSelect) WHERE name = $1"
let projectByID = "\(projectSelect) WHERE id = $1"
private let projectsAfter = "\(projectSelect) WHERE name > $1 ORDER BY name LIMIT $2"
private let projectUpdate = RecordUpdate<Project>(
    "projects", key: "id", except: "created_at")
private let projectInsert =
    Project.columns.insert(into: "projects") + " ON CONFLICT DO NOTHING RETURNING id"

/// The projects.
struct SQLProjects: ProjectStore, SQLCapability {
    let database: SQLDatabase

    func project(named name: String) async throws -> Project? {
        try await one(Project.init, projectByName, name)
    }

    func project(_ id: Identifier<Project>) async throws -> Project? {
        try await one(Project.init, projectByID, id)
    }

    func projects(after name: String?, limit: Int) async throws -> [Project] {
        try await all(Project.init, projectsAfter, name ?? "", limit)
    }

    func add(_ project: Project) async throws -> Bool {
        let values = try project.values
        let dialect = dialect
        return try await engine.write { connection in
            guard try !connection.change(returning: projectInsert, arguments: values).isEmpty else {
                return false
            }
            try connection.change(silentRealmsOf: project.id, dialect) {
                $0.follow(project, after: nil)
            }
            return true
        }
    }

    func change<Objection: Sendable>(
        project id: Identifier<Project>,
        _ edit: @escaping @Sendable (inout Project) -> Objection?
    ) async throws -> RecordEdit<Project, Objection> {
        let dialect = dialect
        return try await self.edit(Project.init, projectByID, [id.sqlValue], edit) {
            connection, row, old, new in
            try projectUpdate.run(new, over: row, on: connection)
            try connection.change(silentRealmsOf: id, dialect) { $0.follow(new, after: old) }
        }
    }

    func remove(project id: Identifier<Project>) async throws {
        try await engine.write { connection in
            for table in ["challenges", "audit_events", "held_names"] {
                _ = try connection.change("DELETE FROM \(table) WHERE project_id = $1", id)
            }
            _ = try connection.change("DELETE FROM projects WHERE id = $1", id)
        }
    }
}
