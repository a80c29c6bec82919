// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let deviceHold = "SELECT id FROM devices WHERE id = $1"
private let userGone = """
    DELETE FROM device_users WHERE device_id = $1 AND person_id = $2 RETURNING person_id
    """
private let keysEnd = """
    UPDATE device_keys SET ends_at = $3 WHERE device_id = $1 AND person_id = $2
    AND (ends_at IS NULL OR ends_at > $3)
    """
private let unlockKeysGone = "DELETE FROM unlock_keys WHERE device_id = $1 AND person_id = $2"

extension SQLDevices {
    func remove(
        user person: Identifier<Person>, from device: Identifier<Device>, now: Timestamp
    ) async throws -> Bool {
        let dialect = dialect
        return try await engine.write { connection in
            // A concurrent sign-in on the device locks the same row: the second of the two sees the
            // first.
            _ = try connection.query(deviceHold + dialect.forUpdate, device)
            let gone = try connection.change(returning: userGone, device, person)
            _ = try connection.change(keysEnd, device, person, now)
            _ = try connection.change(unlockKeysGone, device, person)
            _ = try connection.change(
                grantsRevokeOfDeviceUser, device, person, now, now.revokedRowsEnd)
            return !gone.isEmpty
        }
    }
}
