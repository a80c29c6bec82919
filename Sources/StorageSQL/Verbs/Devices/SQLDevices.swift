// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let deviceBySigningKey = """
    SELECT \(Device.columns.of("d")), \(DeviceKey.columns.of("k"))
    FROM device_keys s JOIN devices d ON d.id = s.device_id
    JOIN device_keys k ON k.device_id = d.id
    WHERE s.project_id = $1 AND s.kid = $2 AND s.key_use = 'signing'
    AND (s.ends_at IS NULL OR s.ends_at > $3) AND d.revoked_at IS NULL
    AND k.person_id IS NULL AND (k.ends_at IS NULL OR k.ends_at > $3)
    ORDER BY k.created_at DESC
    """
private let devicesOfPerson = """
    SELECT \(Device.columns.of("d")) FROM device_users u JOIN devices d ON d.id = u.device_id
    WHERE u.person_id = $1 ORDER BY d.last_seen_at DESC, d.id LIMIT $2
    """
private let deviceSelect = "SELECT \(Device.columns.list) FROM devices"
private let devicesAfter = "\(deviceSelect) WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3"
private let keySelect = "SELECT \(DeviceKey.columns.list) FROM device_keys"
private let keysOfDevice = "\(keySelect) WHERE device_id = $1 ORDER BY created_at, kid LIMIT 1000"
private let keysOfUser = """
    \(keySelect) WHERE device_id = $1 AND person_id = $2 AND (ends_at IS NULL OR ends_at > $3)
    ORDER BY created_at
    """
private let personWithKeys = """
    SELECT \(Person.columns.of("p")), \(DeviceKey.columns.of("k"))
    FROM people p LEFT JOIN device_keys k ON k.device_id = $3 AND k.person_id = p.id
    AND (k.ends_at IS NULL OR k.ends_at > $4)
    WHERE p.project_id = $1 AND p.username = $2 ORDER BY k.created_at
    """
private let usersOfDevice = """
    SELECT \(DeviceUser.columns.list) FROM device_users WHERE device_id = $1
    ORDER BY person_id LIMIT 1000
    """
let deviceTouch = """
    UPDATE devices SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2
    """
private let deviceRevoke = """
    UPDATE devices SET revoked_at = $3 WHERE id = $1 AND project_id = $2 AND revoked_at IS NULL
    RETURNING id
    """
private let deviceCompliance = """
    UPDATE devices SET compliance = $3, compliance_until = $4
    WHERE id = $1 AND project_id = $2 AND revoked_at IS NULL RETURNING id
    """
private let tokenInsert = RegistrationToken.columns.insert(into: "device_tokens")
private let tokensAfter = """
    SELECT \(RegistrationToken.columns.list) FROM device_tokens WHERE project_id = $1 AND id > $2
    ORDER BY id LIMIT $3
    """
private let tokenActive = """
    SELECT 1 FROM device_tokens WHERE project_id = $1 AND hash = $2
    AND revoked_at IS NULL AND expires_at > $3 AND uses < maximum_uses
    """
private let tokenRevoke = """
    UPDATE device_tokens SET revoked_at = $3 WHERE id = $1 AND project_id = $2
    AND revoked_at IS NULL AND expires_at > $3 RETURNING id
    """

/// Devices, their keys, their users and their registration tokens.
struct SQLDevices: DeviceStore, SQLCapability {
    let database: SQLDatabase

    func register(
        _ device: Device, keys: [DeviceKey], by authority: DeviceRegistrationAuthority,
        provesIdentity: Bool, keyOverlap: TimeSpan, now: Timestamp
    ) async throws -> DeviceRegistrationOutcome {
        let change = DeviceRegistrationChange(
            device: device, keys: keys, authority: authority, provesIdentity: provesIdentity,
            keyOverlap: keyOverlap, now: now, dialect: dialect)
        do {
            return try await engine.write { try change.run($0) }
        } catch let refused as DeviceRegistrationChange.Refused {
            return refused.outcome
        } catch let error as StorageError where error.code == .conflict {
            // A concurrent registration of the same device came first.
            return .identityTaken
        }
    }

    func device(
        signingKey kid: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> (Device, [DeviceKey])? {
        let rows = try await all(
            { (try Device(&$0), try DeviceKey(&$0)) }, deviceBySigningKey, project, kid, now)
        return rows.first.map { ($0.0, rows.map(\.1)) }
    }

    func device(_ id: Identifier<Device>) async throws -> Device? {
        try await one(Device.init, "\(deviceSelect) WHERE id = $1", id)
    }

    func devices(
        of project: Identifier<Project>, after id: Identifier<Device>?, limit: Int
    ) async throws -> [Device] {
        try await all(Device.init, devicesAfter, project, id?.bytes ?? [], limit)
    }

    func keys(of device: Identifier<Device>) async throws -> [DeviceKey] {
        try await all(DeviceKey.init, keysOfDevice, device)
    }

    func users(of device: Identifier<Device>) async throws -> [DeviceUser] {
        try await all(DeviceUser.init, usersOfDevice, device)
    }

    func devices(usedBy person: Identifier<Person>, limit: Int) async throws -> [Device] {
        try await all(Device.init, devicesOfPerson, person, limit)
    }

    func userKeys(
        of person: Identifier<Person>, on device: Identifier<Device>, now: Timestamp
    ) async throws -> [DeviceKey] {
        try await all(DeviceKey.init, keysOfUser, device, person, now)
    }

    func person(
        username: String, in project: Identifier<Project>, keysOn device: Identifier<Device>,
        now: Timestamp
    ) async throws -> (Person, [DeviceKey])? {
        let rows = try await all(
            { (try Person(&$0), try DeviceKey(ifPresent: &$0)) }, personWithKeys, project,
            username, device, now)
        return rows.first.map { ($0.0, rows.compactMap(\.1)) }
    }

    func touch(device: Identifier<Device>, now: Timestamp) async throws {
        _ = try await engine.change(deviceTouch, device, now)
    }

    func note(
        compliance: Device.Compliance?, until: Timestamp?, of device: Identifier<Device>,
        in project: Identifier<Project>
    ) async throws -> Bool {
        try await !engine.change(
            deviceCompliance, device, project, compliance?.rawValue, until
        ).isEmpty
    }

    func revoke(
        device: Identifier<Device>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await engine.write { connection in
            let ended = try connection.change(returning: deviceRevoke, device, project, now)
            guard !ended.isEmpty else { return false }
            try DeviceEnd(device: device, now: now).run(connection)
            return true
        }
    }

    func isActive(
        deviceToken hash: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await !engine.query(tokenActive, project, hash, now).isEmpty
    }

    func save(_ token: RegistrationToken) async throws {
        _ = try await engine.change(tokenInsert, arguments: token.values)
    }

    func deviceTokens(
        of project: Identifier<Project>, after id: Identifier<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken] {
        try await all(RegistrationToken.init, tokensAfter, project, id?.bytes ?? [], limit)
    }

    func revoke(
        deviceToken: Identifier<RegistrationToken>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool {
        try await !engine.change(tokenRevoke, deviceToken, project, now).isEmpty
    }
}
