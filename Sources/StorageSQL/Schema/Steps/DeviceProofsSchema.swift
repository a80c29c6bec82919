// SPDX-License-Identifier: Apache-2.0

/// The assurance of a login with a user key on a device, and device identities with normalized
/// serial numbers (``DeviceAttributes``).
///
/// Of two active devices that differ only in case and spaces, one gets the normalized identity:
/// the one that has it already, otherwise the one that was seen last. The keys of the other one
/// remain valid, and no token registers a third device.
enum DeviceProofsSchema {
    static let steps: [SchemaStep] = [
        .step(
            123, "device_keys_context_class",
            "ALTER TABLE device_keys ADD COLUMN context_class {text}"),
        .step(
            124, "devices_identity_compared",
            """
            UPDATE devices SET identity = 'serial/' || upper(replace(serial, ' ', ''))
            || substr(identity, 8 + length(serial))
            WHERE revoked_at IS NULL AND identity LIKE 'serial/%'
            AND serial <> upper(replace(serial, ' ', ''))
            AND NOT EXISTS (SELECT 1 FROM devices o WHERE o.project_id = devices.project_id
            AND o.id <> devices.id AND o.revoked_at IS NULL AND o.identity LIKE 'serial/%'
            AND upper(replace(o.serial, ' ', '')) = upper(replace(devices.serial, ' ', ''))
            AND substr(o.identity, 8 + length(o.serial))
            = substr(devices.identity, 8 + length(devices.serial))
            AND (o.serial = upper(replace(o.serial, ' ', ''))
            OR o.last_seen_at > devices.last_seen_at
            OR (o.last_seen_at = devices.last_seen_at AND o.id > devices.id)))
            """),
    ]
}
