// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of projects.
package protocol ProjectStore: Sendable {
    func project(named name: String) async throws -> Project?
    func project(_ id: Identifier<Project>) async throws -> Project?
    /// Returns up to `limit` projects in order of name, after `name`.
    func projects(after name: String?, limit: Int) async throws -> [Project]
    /// Inserts a project. Returns `false` if that `id` or name exists.
    func add(_ project: Project) async throws -> Bool
    /// Reads the project, applies `edit` and saves the result in one transaction. Of two concurrent
    /// changes, the second edits the result of the first. `edit` may run more than once; if it
    /// returns an objection, nothing is saved.
    func change<Objection: Sendable>(
        project id: Identifier<Project>,
        _ edit: @escaping @Sendable (inout Project) -> Objection?
    ) async throws -> RecordEdit<Project, Objection>
    /// Deletes the project and everything in it.
    func remove(project id: Identifier<Project>) async throws
}

/// A store of signing keys.
package protocol SigningKeyStore: Sendable {
    /// Returns all keys of the project that are not retired, oldest first.
    func signingKeys(of project: Identifier<Project>) async throws -> [SigningKey]
    /// Inserts keys in one transaction; those of an algorithm for which the project already has a
    /// key in the same state are omitted (if two processes start at once, the first wins).
    func addSigningKeys(_ keys: [SigningKey]) async throws
    /// Rotates the keys of the successor's algorithm in one transaction: the next key `kid` becomes
    /// active, the active one becomes retiring, `successor` (state `next`) is inserted. Returns
    /// `false` if `kid` is not a next key, for example because it was promoted concurrently.
    func rotateSigningKey(
        of project: Identifier<Project>, promoting kid: String, successor: SigningKey,
        now: Timestamp
    ) async throws -> Bool
    /// Retires a retiring key. Returns `false` if no retiring key has that kid.
    func retireSigningKey(
        kid: String, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
}
