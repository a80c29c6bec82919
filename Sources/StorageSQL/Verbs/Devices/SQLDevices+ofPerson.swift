// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let machinesOfPerson = """
    SELECT \(Device.columns.of("d")), \(DeviceUser.columns.of("u")),
    (SELECT max(k.created_at) FROM device_keys k WHERE k.device_id = u.device_id
    AND k.person_id = u.person_id AND (k.ends_at IS NULL OR k.ends_at > $2))
    FROM device_users u JOIN devices d ON d.id = u.device_id
    WHERE u.person_id = $1 AND d.revoked_at IS NULL
    ORDER BY d.last_seen_at DESC, d.id LIMIT $3
    """

extension SQLDevices {
    func machines(
        of person: Identifier<Person>, now: Timestamp, limit: Int
    ) async throws -> [PersonDevice] {
        try await all(
            { row in
                PersonDevice(
                    device: try Device(&row), user: try DeviceUser(&row),
                    keyMadeAt: try row.optionalTime())
            }, machinesOfPerson, person, now, limit)
    }
}
