// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let unlockKeySelect = "SELECT \(UnlockKey.columns.list) FROM unlock_keys"
private let unlockKeyValid = """
    \(unlockKeySelect) WHERE device_id = $1 AND person_id = $2 AND purpose = $3
    AND expires_at > $4 ORDER BY expires_at DESC LIMIT 1
    """
private let unlockKeyByID = "\(unlockKeySelect) WHERE id = $1 AND delete_after > $2"
private let unlockKeyKeep = """
    UPDATE unlock_keys SET delete_after = $2 WHERE id = $1 AND delete_after < $2
    """
private let deviceHeld = "SELECT id FROM devices WHERE id = $1 AND revoked_at IS NULL"
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

extension SQLStore {
    package func unlockKey(
        of person: Identifier<Person>, on device: Identifier<Device>, purpose: String,
        now: Timestamp
    ) async throws -> UnlockKey? {
        try await one(UnlockKey.init, unlockKeyValid, device, person, purpose, now)
    }

    package func provision(_ key: UnlockKey, now: Timestamp) async throws -> UnlockKey? {
        let held = deviceHeld + dialect.forUpdate
        return try await engine.write { connection in
            guard try connection.first(held, key.device) != nil else { return nil }
            let valid = try connection.query(
                unlockKeyValid, key.device, key.person, key.purpose, now)
            if let found = try valid.firstRecord(UnlockKey.init) { return found }
            _ = try connection.change(
                UnlockKey.columns.insert(into: "unlock_keys"), arguments: key.values)
            return key
        }
    }

    package func unlockKey(
        _ id: Identifier<UnlockKey>, now: Timestamp
    ) async throws -> UnlockKey? {
        try await one(UnlockKey.init, unlockKeyByID, id, now)
    }

    package func extendLifetime(
        ofUnlockKey id: Identifier<UnlockKey>, to end: Timestamp
    ) async throws {
        _ = try await engine.change(unlockKeyKeep, id, end)
    }

    package func encryptionKeys(
        of project: Identifier<Project>
    ) async throws -> [EncryptionKey] {
        try await all(EncryptionKey.init, encryptionKeysOfProject, project)
    }

    package func addEncryptionKey(_ key: EncryptionKey) async throws {
        _ = try await engine.change(encryptionKeyInsert, arguments: key.values)
    }

    package func rotateEncryptionKey(to successor: EncryptionKey) async throws -> Bool {
        try await engine.write { connection in
            let old = try connection.change(returning: encryptionKeyRetires, successor.project)
            guard !old.isEmpty else { return false }
            _ = try connection.change(encryptionKeyInsert, arguments: successor.values)
            return true
        }
    }

    package func retireEncryptionKey(
        _ id: Identifier<EncryptionKey>, of project: Identifier<Project>
    ) async throws -> Bool {
        try await !engine.change(encryptionKeyDelete, id, project).isEmpty
    }
}
