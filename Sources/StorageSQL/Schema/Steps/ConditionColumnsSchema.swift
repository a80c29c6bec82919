// SPDX-License-Identifier: Apache-2.0

/// Columns for conditions that were matched in texts: in the settings of a provider, in the methods
/// of a grant and in the details of an event. They are `NULL` in rows from a concurrent older
/// version (``Backfill``).
enum ConditionColumnsSchema {
    static let steps: [SchemaStep] = [
        .step(
            135, "upstream_providers_link_only",
            "ALTER TABLE upstream_providers ADD COLUMN link_only {integer}"),
        .step(136, "upstream_providers_link_only_of_before", Backfill.linkOnly.all),
        .step(137, "grants_shows_key", "ALTER TABLE grants ADD COLUMN shows_key {integer}"),
        .step(138, "grants_is_federated", "ALTER TABLE grants ADD COLUMN is_federated {integer}"),
        .step(139, "grants_flags_of_before", Backfill.grantFlags.all),
        .step(
            140, "grants_without_flags",
            """
            CREATE INDEX grants_without_flags ON grants (shows_key)
            WHERE \(Backfill.grantFlags.condition)
            """),
        // In the form of the details, so that one statement fills it on both engines.
        .step(141, "audit_events_device", "ALTER TABLE audit_events ADD COLUMN device_id {text}"),
        .step(142, "audit_events_device_of_before", Backfill.auditDevice.all),
        .step(
            143, "audit_events_of_device",
            """
            CREATE INDEX audit_events_of_device ON audit_events (device_id, id)
            WHERE device_id IS NOT NULL
            """),
        .step(
            144, "audit_events_without_device",
            """
            CREATE INDEX audit_events_without_device ON audit_events (device_id)
            WHERE \(Backfill.auditDevice.condition)
            """),
        // An older version searches without it: slower, and with the same result. Events of devices
        // would otherwise be in one more index.
        .step(145, "audit_events_by_device_no_more", "DROP INDEX audit_events_by_device"),
    ]
}
