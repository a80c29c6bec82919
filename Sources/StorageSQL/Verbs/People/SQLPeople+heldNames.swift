// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The columns that a statement that deletes people returns for each of them, in the order in which
/// `DeletedNames` reads them.
let deletedNames = "project_id, username, realm, user_name, shown_name, account_name"
private let nameHold = """
    INSERT INTO held_names (project_id, name, held_until) VALUES ($1, $2, $3)
    ON CONFLICT (project_id, name) DO UPDATE SET held_until = excluded.held_until
    """
private let nameHeld = """
    SELECT 1 FROM held_names WHERE project_id = $1 AND name = $2 AND held_until > $3
    """
private let nameRelease = """
    DELETE FROM held_names WHERE project_id = $1 AND name = $2 AND held_until > $3 RETURNING name
    """

extension SQLPeople {
    func isHeld(
        name: String, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await !engine.query(nameHeld, project, name, now).isEmpty
    }

    func release(
        name: String, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await !engine.change(nameRelease, project, name, now).isEmpty
    }
}

extension SQLConnection {
    /// Deletes people and holds their names.
    ///
    /// - Parameter statement: returns ``deletedNames``.
    /// - Returns: how many people it deleted.
    func deletePeople(
        _ statement: String, _ arguments: any SQLStorable..., now: Timestamp
    ) throws -> Int {
        let gone = try change(returning: statement, arguments: arguments.map(\.sqlValue))
            .records(DeletedNames.init)
        for (project, people) in Dictionary(grouping: gone, by: \.project) {
            try hold(Set(people.flatMap(\.names)), of: project, now)
        }
        return gone.count
    }

    /// Holds the names for the project's `usernameReuseDelay`, or not at all if that is 0.
    private func hold(
        _ names: Set<String>, of project: Identifier<Project>, _ now: Timestamp
    ) throws {
        let policy = try query(projectByID, project).firstRecord(Project.init)?.policy
        guard let delay = policy?.usernameReuseDelay, delay > 0 else { return }
        let end = now + .seconds(delay)
        // The same order in every transaction prevents a deadlock of two that hold the same names.
        for name in names.sorted() { _ = try change(nameHold, project, name, end) }
    }

    /// Whether the name is held at `now`. Call it after the row with that name was inserted or
    /// updated: a concurrent removal of the person who had the name has committed by then.
    func isHeld(
        _ name: String, in project: Identifier<Project>, _ now: Timestamp
    ) throws -> Bool {
        try first(nameHeld, project, name, now) != nil
    }
}

/// The names of a deleted person that are then held: the username, unless it is of another realm,
/// and the names that applications and devices received.
private struct DeletedNames {
    let project: Identifier<Project>
    let names: [String]

    init(_ row: inout SQLRow) throws {
        project = try row.identifier()
        var stored = StoredName()
        try stored.columns(&row)
        let name = stored.parts
        let others = [try row.optionalText(), try row.optionalText()]
        names = (name.realm.isEmpty ? [name.username] : []) + others.compactMap(\.self)
    }
}
