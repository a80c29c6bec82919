// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let deviceHeld = "SELECT sharing FROM devices WHERE id = $1 AND revoked_at IS NULL"
private let otherUser = """
    SELECT person_id FROM device_users WHERE device_id = $1 AND person_id <> $2 LIMIT 1
    """
private let userUpdates = DeviceUser.columns.upsert(
    into: "device_users", key: "device_id person_id",
    except: "project_id registered_at last_sign_in_at")
/// The time of the last sign-in does not decrease.
private let userUpsert = """
    \(userUpdates),
    last_sign_in_at = CASE WHEN excluded.last_sign_in_at IS NULL
    OR device_users.last_sign_in_at > excluded.last_sign_in_at
    THEN device_users.last_sign_in_at ELSE excluded.last_sign_in_at END
    """
private let userKeysEnd = """
    UPDATE device_keys SET ends_at = $3 WHERE device_id = $1 AND person_id = $2
    AND ends_at IS NULL AND kid <> $4
    """
private let personStands = "SELECT id FROM people WHERE id = $1 AND disabled = 0"
private let olderGrantsEnd = """
    UPDATE grants SET expires_at = $4, delete_after = $4 WHERE device_id = $1 AND person_id = $2
    AND id <> $3 AND revoked_at IS NULL AND expires_at > $4
    """
private let deviceHeldWithTime = """
    SELECT sharing, last_seen_at FROM devices WHERE id = $1 AND revoked_at IS NULL
    """
/// A grant without a code: its refresh token family begins at once.
private let grantOnDevice = """
    INSERT INTO grants (\(Grant.allColumns.list), redeemed_at, delete_after)
    SELECT \(Grant.allColumns.parameters), \(Grant.columns["created_at"]),
    \(Grant.columns["expires_at"]) FROM people p CROSS JOIN clients c
    WHERE p.id = \(Grant.columns["person_id"]) AND p.disabled = 0
    AND c.id = \(Grant.columns["client_id"]) AND c.disabled = 0
    """

extension SQLDevices {
    func register(
        _ user: DeviceUser, key: DeviceKey?, now: Timestamp
    ) async throws -> DeviceUserOutcome {
        let dialect = dialect
        do {
            return try await engine.write { connection in
                let held = try connection.query(deviceHeld + dialect.forUpdate, user.device)
                if let refused = try Self.refusal(of: user, on: held, connection) {
                    return refused
                }
                let person = try connection.query(
                    personStands + dialect.forShare, user.person)
                guard !person.isEmpty else { return .ended }
                if let key {
                    let kept = try connection.change(
                        returning: deviceKeyInsert, arguments: key.values)
                    guard !kept.isEmpty else { return .keyTaken }
                    _ = try connection.change(userKeysEnd, user.device, user.person, now, key.kid)
                }
                _ = try connection.change(userUpsert, arguments: user.values)
                return .done
            }
        } catch let error as StorageError where error.code == .missingParent {
            return .ended
        }
    }

    func signIn(
        _ user: DeviceUser, with credential: Identifier<Credential>?, grant: Grant,
        overlap: TimeSpan, using nonce: OneTimeUse?, recording event: AuditEvent, now: Timestamp
    ) async throws -> DeviceUserOutcome {
        let insert = grantOnDevice + dialect.forShare
        let hold = deviceHeldWithTime + dialect.forUpdate
        let dialect = dialect
        return try await engine.write { connection in
            if let nonce, try connection.change(markAdd, arguments: nonce.values) == 0 {
                return .nonceUsed
            }
            let held = try connection.query(hold, user.device)
            try Self.note(user.device, held, now, connection)
            if let refused = try Self.refusal(of: user, on: held, connection) { return refused }
            if let credential, try !connection.holds(credential, of: user.person, dialect) {
                return .credentialReplaced
            }
            let made = try connection.change(insert, arguments: grant.allValues)
            guard made > 0 else { return .ended }
            _ = try connection.change(
                olderGrantsEnd, user.device, user.person, grant.id, now + overlap)
            _ = try connection.change(userUpsert, arguments: user.values)
            _ = try connection.change(auditInsert, arguments: event.values)
            return .done
        }
    }

    /// Returns why the user is refused on the device.
    ///
    /// The device's row is locked, so that the second of a revocation and a sign-in sees the first.
    /// A device of one person never gets a second user.
    private static func refusal(
        of user: DeviceUser, on held: [SQLRow], _ connection: any SQLConnection
    ) throws -> DeviceUserOutcome? {
        guard var row = held.first else { return .ended }
        guard try row.word(Device.Sharing.self) == .perUser else { return nil }
        let others = try connection.query(otherUser, user.device, user.person)
        return others.isEmpty ? nil : .anothersDevice
    }

    /// Updates the time at which the device was last seen. An unchanged row saves writing a page.
    private static func note(
        _ device: Identifier<Device>, _ held: [SQLRow], _ now: Timestamp,
        _ connection: any SQLConnection
    ) throws {
        let seen = try held.firstRecord { (try $0.word(Device.Sharing.self), try $0.time()) }
        guard let (_, time) = seen, now - time >= Device.hearing else { return }
        _ = try connection.change(deviceTouch, device, now)
    }
}
