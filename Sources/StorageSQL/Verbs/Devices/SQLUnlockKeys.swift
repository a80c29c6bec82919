// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let unlockKeySelect = "SELECT \(UnlockKey.columns.list) FROM unlock_keys"
private let unlockKeyValid = """
    \(unlockKeySelect) WHERE device_id = $1 AND person_id = $2 AND purpose = $3
    AND expires_at > $4 ORDER BY expires_at DESC LIMIT 1
    """
private let unlockKeyByID = "\(unlockKeySelect) WHERE id = $1 AND delete_after > $2"
private let unlockKeyInsert = UnlockKey.columns.insert(into: "unlock_keys")
private let unlockKeyKeep = """
    UPDATE unlock_keys SET delete_after = $2 WHERE id = $1 AND delete_after < $2
    """
private let deviceHeld = "SELECT id FROM devices WHERE id = $1 AND revoked_at IS NULL"

/// The unlock keys of people on devices.
struct SQLUnlockKeys: UnlockKeyStore, SQLCapability {
    let database: SQLDatabase

    func unlockKey(
        of person: Identifier<Person>, on device: Identifier<Device>, purpose: String,
        now: Timestamp
    ) async throws -> UnlockKey? {
        try await one(UnlockKey.init, unlockKeyValid, device, person, purpose, now)
    }

    func provision(_ key: UnlockKey, now: Timestamp) async throws -> UnlockKey? {
        let held = deviceHeld + dialect.forUpdate
        return try await engine.write { connection in
            guard try connection.first(held, key.device) != nil else { return nil }
            let valid = try connection.query(
                unlockKeyValid, key.device, key.person, key.purpose, now)
            if let found = try valid.firstRecord(UnlockKey.init) { return found }
            _ = try connection.change(unlockKeyInsert, arguments: key.values)
            return key
        }
    }

    func unlockKey(
        _ id: Identifier<UnlockKey>, now: Timestamp
    ) async throws -> UnlockKey? {
        try await one(UnlockKey.init, unlockKeyByID, id, now)
    }

    func extendLifetime(
        ofUnlockKey id: Identifier<UnlockKey>, to end: Timestamp
    ) async throws {
        _ = try await engine.change(unlockKeyKeep, id, end)
    }
}
