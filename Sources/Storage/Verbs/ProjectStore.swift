// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where projects are kept.
package protocol ProjectStore: Sendable {
    func project(named name: String) async throws -> Project?
    func project(_ id: Identifier<Project>) async throws -> Project?
    /// Up to `limit` projects in order of name, after `name`.
    func projects(after name: String?, limit: Int) async throws -> [Project]
    /// Makes a new project. `false` when there is one with that `id` or name.
    func add(_ project: Project) async throws -> Bool
    /// Reads the project, lets `edit` change it and keeps what came out, in one step: of two
    /// changes at the same moment the second builds upon the first. `edit` may run more than once;
    /// what it answers refuses, and nothing is kept.
    func change<Objection: Sendable>(
        project id: Identifier<Project>,
        _ edit: @escaping @Sendable (inout Project) -> Objection?
    ) async throws -> RecordEdit<Project, Objection>
    /// Removes the project and everything in it.
    func remove(project id: Identifier<Project>) async throws
}

/// Where signing keys are kept.
package protocol SigningKeyStore: Sendable {
    /// All keys of the project that are not retired, oldest first.
    func signingKeys(of project: Identifier<Project>) async throws -> [SigningKey]
    /// Adds keys in one step; those of an algorithm for which the project already has a key in
    /// the same state are left out (two processes may start at once: the first wins).
    func addSigningKeys(_ keys: [SigningKey]) async throws
    /// Rotation of one algorithm in one step: `next` becomes active, active becomes retiring,
    /// `successor` (state `next`) is added. `false` when there was no `next` key to promote.
    func rotateSigningKey(
        of project: Identifier<Project>, algorithm: String, successor: SigningKey, now: Timestamp
    ) async throws -> Bool
    /// Moves a retiring key to retired. `false` when no retiring key has that kid.
    func retireSigningKey(
        kid: String, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
}
