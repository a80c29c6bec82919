// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let tokenUse = """
    UPDATE device_tokens SET uses = uses + 1 WHERE project_id = $1 AND hash = $2
    AND revoked_at IS NULL AND expires_at > $3 AND uses < maximum_uses
    AND (serial IS NULL OR upper(replace(serial, ' ', '')) = $4) RETURNING serial
    """
private let activeByIdentity = """
    SELECT \(Device.columns.list) FROM devices
    WHERE project_id = $1 AND identity = $2 AND identity IS NOT NULL AND revoked_at IS NULL
    """
private let activeByID = """
    SELECT \(Device.columns.list) FROM devices
    WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL
    """
private let deviceInsert = Device.columns.insert(into: "devices")
private let deviceUpdate = RecordUpdate<Device>("devices", key: "id project_id")
private let activeKIDs = """
    SELECT kid FROM device_keys WHERE device_id = $1 AND person_id IS NULL AND ends_at IS NULL
    """
private let kidEnd = "UPDATE device_keys SET ends_at = $3 WHERE project_id = $1 AND kid = $2"

/// One registration of a device in a transaction. An error rolls back all of it, including the
/// consumption of the token.
struct DeviceRegistrationChange {
    let device: Device
    let keys: [DeviceKey]
    let authority: DeviceRegistrationAuthority
    /// Whether hardware attested the device's identity.
    let provesIdentity: Bool
    let keyOverlap: TimeSpan
    let now: Timestamp
    let dialect: SQLDialect

    /// Rolls the registration back.
    struct Refused: Error { let outcome: DeviceRegistrationOutcome }

    func run(_ connection: any SQLConnection) throws -> DeviceRegistrationOutcome {
        let mayRenew = try authorize(connection)
        let old = try older(connection)
        if let old, !mayRenew(old) { throw Refused(outcome: .identityTaken) }
        var made = device
        if let old {
            made.id = old.id
            try replace(old, by: &made, connection)
        } else {
            _ = try connection.change(deviceInsert, arguments: made.values)
        }
        for key in keys {
            var key = key
            key.device = made.id
            let kept = try connection.change(returning: deviceKeyInsert, arguments: key.values)
            if kept.isEmpty { throw Refused(outcome: .keyTaken) }
        }
        return .registered(made)
    }

    /// Consumes the token. Returns which active devices may be renewed.
    private func authorize(_ connection: any SQLConnection) throws -> (Device) -> Bool {
        switch authority {
        case .token(let hash):
            let used = try connection.change(
                returning: tokenUse, device.project, hash, now,
                DeviceAttributes.compared(serial: device.facts.serial))
            guard var token = used.first else { throw Refused(outcome: .tokenRefused) }
            let isBound = try token.optionalText() != nil
            return { _ in isBound || provesIdentity }
        case .person(let person): return { $0.registeredBy == person || provesIdentity }
        case .key(let holder): return { $0.id == holder }
        }
    }

    /// Returns the active device that this registration would replace.
    private func older(_ connection: any SQLConnection) throws -> Device? {
        guard case .key(let holder) = authority else {
            return try activeDevice(known: device.identity, connection)
        }
        let own = try connection.query(activeByID + dialect.forUpdate, device.project, holder)
            .firstRecord(Device.init)
        guard let own else { throw Refused(outcome: .keyTaken) }
        // A key proves the identity of its device only. Keys of one person may become shared keys,
        // because the device has no other person's keys.
        let known = own.facts.machine
        guard known == nil || known == device.facts.machine else {
            throw Refused(outcome: .identityChanged)
        }
        guard own.sharing == device.sharing || device.sharing == .shared else {
            throw Refused(outcome: .sharingNarrowed)
        }
        let named = try activeDevice(known: renewed(own).identity, connection)
        guard named == nil || named?.id == own.id else { throw Refused(outcome: .identityTaken) }
        return own
    }

    private func activeDevice(
        known identity: String?, _ connection: any SQLConnection
    ) throws -> Device? {
        try connection.query(activeByIdentity + dialect.forUpdate, device.project, identity)
            .firstRecord(Device.init)
    }

    /// Returns the device after a registration with its current key.
    private func renewed(_ old: Device) -> Device {
        var new = device
        new.id = old.id
        new.registeredBy = old.registeredBy
        new.compliance = old.compliance
        new.complianceUntil = old.complianceUntil
        new.identity = new.facts.identity(for: new.sharing, of: old.registeredBy) ?? old.identity
        return new
    }

    private func replace(
        _ old: Device, by new: inout Device, _ connection: any SQLConnection
    ) throws {
        if case .key = authority {
            new = renewed(old)
            // A key that signed for one person must not sign for all users, not even for a day.
            let end = old.sharing == new.sharing ? now + keyOverlap : now
            for kid in try connection.query(activeKIDs, old.id).records({ try $0.bytes() })
            where !keys.contains(where: { $0.kid == kid }) {
                _ = try connection.change(kidEnd, old.project, kid, end)
            }
        } else {
            try DeviceEnd(device: old.id, now: now).run(connection)
            _ = try connection.change("DELETE FROM device_users WHERE device_id = $1", old.id)
        }
        try deviceUpdate.run(new, on: connection)
    }
}

/// The revocation of everything a device can be used for, without its record.
struct DeviceEnd {
    let device: Identifier<Device>
    let now: Timestamp

    func run(_ connection: any SQLConnection) throws {
        _ = try connection.change(
            """
            UPDATE device_keys SET ends_at = $2
            WHERE device_id = $1 AND (ends_at IS NULL OR ends_at > $2)
            """, device, now)
        _ = try connection.change("DELETE FROM unlock_keys WHERE device_id = $1", device)
        _ = try connection.change(grantsRevokeOfDevice, device, now, now.revokedRowsEnd)
    }
}

/// A key that the device already has for the same use is unchanged. If another key has or had the
/// same `kid`, the statement returns no row.
let deviceKeyInsert = """
    \(DeviceKey.columns.insert(into: "device_keys"))
    ON CONFLICT (project_id, kid) DO UPDATE SET context_class = excluded.context_class
    WHERE device_keys.device_id = excluded.device_id AND device_keys.ends_at IS NULL
    AND device_keys.key_use = excluded.key_use
    AND COALESCE(device_keys.person_id, device_keys.device_id)
    = COALESCE(excluded.person_id, excluded.device_id)
    RETURNING kid
    """
