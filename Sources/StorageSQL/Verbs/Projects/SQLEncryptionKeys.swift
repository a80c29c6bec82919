// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let encryptionKeysOfProject = """
    SELECT \(EncryptionKey.columns.list) FROM encryption_keys WHERE project_id = $1
    ORDER BY id DESC LIMIT 64
    """
private let encryptionKeyInsert =
    EncryptionKey.columns.insert(into: "encryption_keys") + " ON CONFLICT DO NOTHING"
private let encryptionKeyRetires = """
    UPDATE encryption_keys SET state = 'retiring' WHERE project_id = $1 AND state = 'active'
    RETURNING id
    """
private let encryptionKeyDelete = """
    DELETE FROM encryption_keys WHERE id = $1 AND project_id = $2 AND state = 'retiring'
    RETURNING id
    """

/// The encryption keys of projects.
struct SQLEncryptionKeys: EncryptionKeyStore, SQLCapability {
    let database: SQLDatabase

    func encryptionKeys(
        of project: Identifier<Project>
    ) async throws -> [EncryptionKey] {
        try await all(EncryptionKey.init, encryptionKeysOfProject, project)
    }

    func addEncryptionKey(_ key: EncryptionKey) async throws {
        _ = try await engine.change(encryptionKeyInsert, arguments: key.values)
    }

    func rotateEncryptionKey(to successor: EncryptionKey) async throws -> Bool {
        try await engine.write { connection in
            let old = try connection.change(returning: encryptionKeyRetires, successor.project)
            guard !old.isEmpty else { return false }
            _ = try connection.change(encryptionKeyInsert, arguments: successor.values)
            return true
        }
    }

    func retireEncryptionKey(
        _ id: Identifier<EncryptionKey>, of project: Identifier<Project>
    ) async throws -> Bool {
        try await !engine.change(encryptionKeyDelete, id, project).isEmpty
    }
}
