// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let keysOfProject = """
    SELECT \(SigningKey.columns.list) FROM signing_keys
    WHERE project_id = $1 AND state <> 'retired' ORDER BY created_at, id LIMIT 1000
    """
/// Two processes that insert concurrently conflict in the unique index of active keys: the second
/// inserts none.
private let keyAdd = """
    INSERT INTO signing_keys (\(SigningKey.columns.list)) SELECT \(SigningKey.columns.parameters)
    WHERE NOT EXISTS (SELECT 1 FROM signing_keys
    WHERE project_id = \(SigningKey.columns["project_id"])
    AND algorithm = \(SigningKey.columns["algorithm"]) AND state = \(SigningKey.columns["state"]))
    ON CONFLICT DO NOTHING
    """
private let keyInsert = SigningKey.columns.insert(into: "signing_keys")
private let keyNext = """
    SELECT id FROM signing_keys WHERE project_id = $1 AND kid = $2 AND state = 'next'
    """
private let keyActiveRetires = """
    UPDATE signing_keys SET state = 'retiring', changed_at = $3
    WHERE project_id = $1 AND algorithm = $2 AND state = 'active'
    """
private let keyActivate = """
    UPDATE signing_keys SET state = 'active', changed_at = $2 WHERE id = $1
    """
private let keyRetire = """
    UPDATE signing_keys SET state = 'retired', changed_at = $3
    WHERE project_id = $1 AND kid = $2 AND state = 'retiring' RETURNING id
    """

/// The signing keys of projects.
struct SQLSigningKeys: SigningKeyStore, SQLCapability {
    let database: SQLDatabase

    func signingKeys(of project: Identifier<Project>) async throws -> [SigningKey] {
        try await all(SigningKey.init, keysOfProject, project)
    }

    func addSigningKeys(_ keys: [SigningKey]) async throws {
        try await engine.write { connection in
            for key in keys { _ = try connection.change(keyAdd, arguments: key.values) }
        }
    }

    func rotateSigningKey(
        of project: Identifier<Project>, promoting kid: String, successor: SigningKey,
        now: Timestamp
    ) async throws -> Bool {
        let held = keyNext + dialect.forUpdate
        return try await engine.write { connection in
            let next = try connection.query(held, project, kid).firstRecord {
                try $0.identifier(SigningKey.self)
            }
            guard let next else { return false }
            _ = try connection.change(keyActiveRetires, project, successor.algorithm, now)
            _ = try connection.change(keyActivate, next, now)
            _ = try connection.change(keyInsert, arguments: successor.values)
            return true
        }
    }

    func retireSigningKey(
        kid: String, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await !engine.change(keyRetire, project, kid, now).isEmpty
    }
}
