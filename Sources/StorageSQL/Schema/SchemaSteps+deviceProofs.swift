// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// What a login with a person's key on a machine is worth; and machines known by serial numbers
    /// as they are compared (``DeviceFacts``). Two that differ in case and spaces alone stay two.
    static let deviceProofs: [SchemaStep] = [
        step(
            123, "device_keys_context_class",
            "ALTER TABLE device_keys ADD COLUMN context_class {text}"),
        step(
            124, "devices_identity_compared",
            """
            UPDATE devices SET identity = 'serial/' || upper(replace(serial, ' ', ''))
            || substr(identity, 8 + length(serial))
            WHERE identity LIKE 'serial/%' AND serial <> upper(replace(serial, ' ', ''))
            AND NOT EXISTS (SELECT 1 FROM devices o WHERE o.project_id = devices.project_id
            AND o.id <> devices.id AND o.revoked_at IS NULL
            AND upper(replace(o.identity, ' ', '')) = upper(replace(devices.identity, ' ', '')))
            """),
    ]
}
